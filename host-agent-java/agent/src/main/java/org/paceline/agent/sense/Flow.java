package org.paceline.agent.sense;

import java.net.InetAddress;

/** What goes through one socket in one direction, with its addresses and ports as this host's. */
public record Flow(
    Transport transport,
    InetAddress local,
    int localPort,
    InetAddress remote,
    int remotePort,
    Direction direction) {

  /** What is sent. */
  public Flow(
      Transport transport, InetAddress local, int localPort, InetAddress remote, int remotePort) {
    this(transport, local, localPort, remote, remotePort, Direction.OUT);
  }

  /** What the same socket sends. */
  public Flow outgoing() {
    return towards(Direction.OUT);
  }

  /** What the same socket receives. */
  public Flow incoming() {
    return towards(Direction.IN);
  }

  private Flow towards(Direction way) {
    return way == direction ? this : new Flow(transport, local, localPort, remote, remotePort, way);
  }

  @Override
  public String toString() {
    return transport.text()
        + " "
        + local.getHostAddress()
        + ":"
        + localPort
        + " "
        + direction.arrow()
        + " "
        + remote.getHostAddress()
        + ":"
        + remotePort;
  }
}
