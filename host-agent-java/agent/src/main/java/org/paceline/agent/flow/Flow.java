package org.paceline.agent.flow;

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

  // Thousands are looked up at a time. What Java makes for records goes through method handles,
  // which the agent's small compiler does not see through: several times as slow.
  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Flow flow
            && localPort == flow.localPort
            && remotePort == flow.remotePort
            && transport == flow.transport
            && direction == flow.direction
            && remote.equals(flow.remote)
            && local.equals(flow.local);
  }

  @Override
  public int hashCode() {
    int addresses = 31 * local.hashCode() + remote.hashCode();
    // An enum's own differs from one run to the next, and with it the order of what is told.
    int way = 2 * transport.ordinal() + direction.ordinal();
    return 31 * (31 * (31 * addresses + localPort) + remotePort) + way;
  }

  @Override
  public String toString() {
    return from() + remote.getHostAddress() + ":" + remotePort;
  }

  /** The same where the socket is for whoever it may be. */
  public String toAnybody() {
    return from() + "anybody";
  }

  private String from() {
    String end = local.getHostAddress() + ":" + localPort;
    return transport.text() + " " + end + " " + direction.arrow() + " ";
  }
}
