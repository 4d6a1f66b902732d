package org.paceline.agent.sense;

import java.net.InetAddress;

/** One socket's addresses and ports, seen from this host: what is sent goes to {@code remote}. */
public record Flow(
    Transport transport, InetAddress local, int localPort, InetAddress remote, int remotePort) {

  @Override
  public String toString() {
    return transport.text()
        + " "
        + local.getHostAddress()
        + ":"
        + localPort
        + " -> "
        + remote.getHostAddress()
        + ":"
        + remotePort;
  }
}
