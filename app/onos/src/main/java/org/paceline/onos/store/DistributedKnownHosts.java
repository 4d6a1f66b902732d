package org.paceline.onos.store;

import java.util.Set;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.DistributedSet;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.paceline.control.port.KnownHosts;

/** The hosts with agents in a set that every node of the cluster sees. */
public final class DistributedKnownHosts implements KnownHosts {
  private final DistributedSet<String> hosts;

  public DistributedKnownHosts(StorageService storage, ApplicationId app) {
    hosts =
        storage
            .<String>setBuilder()
            .withName("paceline-hosts")
            .withApplicationId(app)
            .withSerializer(
                Serializer.using(KryoNamespace.newBuilder().register(String.class).build()))
            .build()
            .asDistributedSet();
  }

  @Override
  public Set<String> all() {
    return Set.copyOf(hosts);
  }

  @Override
  public void add(String host) {
    hosts.add(host);
  }

  @Override
  public void remove(String host) {
    hosts.remove(host);
  }
}
