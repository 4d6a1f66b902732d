package org.paceline.gateway.tls;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The other end of a connection. */
public final class Peer {
  private final String shown;

  private Peer(String shown) {
    this.shown = shown;
  }

  public static Peer of(@Nullable SocketAddress at) {
    return new Peer(String.valueOf(at).replaceFirst("^/", ""));
  }

  /** Without its port, of which each of its connections has another. */
  public String host() {
    return shown.substring(0, Math.max(0, shown.lastIndexOf(':')));
  }

  /** With its port. */
  @Override
  public String toString() {
    return shown;
  }
}
