package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.CanonicalAddress;

/** What one packet shows of its flow. The local end is the one that sends. */
@AutoValue
public abstract class PacketFacts {
  /** The sender's, in lower case with colons. */
  public abstract String mac();

  /** Empty where it has no tag. */
  public abstract Optional<Integer> vlan();

  abstract InetAddress local();

  abstract InetAddress remote();

  /** ANY for what is neither TCP nor UDP. */
  public abstract Transport transport();

  /** 0 where it has none. */
  public abstract int localPort();

  /** 0 where it has none. */
  public abstract int remotePort();

  public abstract int dscp();

  public final String localAddress() {
    return CanonicalAddress.of(local().getHostAddress());
  }

  public final String remoteAddress() {
    return CanonicalAddress.of(remote().getHostAddress());
  }

  public static Builder builder() {
    return new AutoValue_PacketFacts.Builder()
        .vlan(Optional.empty())
        .transport(Transport.ANY)
        .localPort(0)
        .remotePort(0)
        .dscp(0);
  }

  /** Builds facts. */
  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder mac(String mac);

    /** Of the sender. */
    public Builder from(String mac) {
      return mac(mac.toLowerCase(Locale.ROOT));
    }

    public abstract Builder vlan(Optional<Integer> vlan);

    public abstract Builder local(InetAddress address);

    public abstract Builder remote(InetAddress address);

    public abstract Builder transport(Transport transport);

    public abstract Builder localPort(int port);

    public abstract Builder remotePort(int port);

    public abstract Builder dscp(int dscp);

    public abstract PacketFacts build();
  }
}
