package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Comparator;

/** Which packets between two hosts are meant. */
@AutoValue
public abstract class PacketMatch implements Comparable<PacketMatch> {
  private static final Comparator<PacketMatch> ORDER =
      Comparator.comparing(PacketMatch::transport)
          .thenComparing(PacketMatch::localPort)
          .thenComparing(PacketMatch::remotePort);

  public abstract Transport transport();

  /** 0 for any. */
  public abstract int localPort();

  /** 0 for any. */
  public abstract int remotePort();

  public static PacketMatch of(Transport transport, int localPort, int remotePort) {
    return new AutoValue_PacketMatch(transport, localPort, remotePort);
  }

  /** Whether a packet can be one of both. */
  public boolean meets(PacketMatch other) {
    return (transport() == Transport.ANY
            || other.transport() == Transport.ANY
            || transport() == other.transport())
        && meets(localPort(), other.localPort())
        && meets(remotePort(), other.remotePort());
  }

  private static boolean meets(int port, int other) {
    return port == 0 || other == 0 || port == other;
  }

  @Override
  public int compareTo(PacketMatch other) {
    return ORDER.compare(this, other);
  }
}
