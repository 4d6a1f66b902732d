package org.paceline.onos.rest;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.Unserved;
import org.paceline.control.port.IntentStore;
import org.paceline.control.port.KnownHosts;
import org.paceline.control.port.PathInstaller;
import org.paceline.control.port.RateSender;
import org.paceline.control.port.SettingStore;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;

/** Where the network would be: nobody stores, enforces or installs anything. */
final class Nobody {
  private Nobody() {}

  static final class NoStore implements IntentStore {
    @Override
    public Optional<IntentTree> load() {
      return Optional.empty();
    }

    @Override
    public void save(IntentTree tree) {}
  }

  static final class SettingsInMemory implements SettingStore {
    private final Map<String, String> values = new ConcurrentHashMap<>();

    @Override
    public Optional<String> find(String name) {
      return Optional.ofNullable(values.get(name));
    }

    @Override
    public void put(String name, String value) {
      values.put(name, value);
    }

    @Override
    public void remove(String name) {
      values.remove(name);
    }
  }

  static final class NoRates implements RateSender {
    @Override
    public void send(String host, long version, Map<Conversation, DataRate> rates) {}

    @Override
    public void takeBack(String host, long version, Collection<Conversation> conversations) {}

    @Override
    public void release(Conversation conversation) {}

    @Override
    public void refuse(Conversation conversation, Unserved why) {}
  }

  static final class NoPaths implements PathInstaller {
    @Override
    public CompletableFuture<Void> install(Conversation conversation, Path path) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void matchedOtherwise(Conversation conversation) {}

    @Override
    public void remove(Conversation conversation) {}
  }

  static final class NoHosts implements KnownHosts {
    @Override
    public Set<String> all() {
      return new HashSet<>();
    }

    @Override
    public void add(String host) {}

    @Override
    public void remove(String host) {}
  }
}
