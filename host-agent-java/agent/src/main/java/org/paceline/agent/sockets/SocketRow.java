package org.paceline.agent.sockets;

import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

/**
 * One entry of the kernel's socket table.
 *
 * @param inode the socket's, by which its process can be found; 0 while nobody has accepted it
 * @param settled whether the kernel counts the next change of its kind or inode
 */
public record SocketRow(Flow flow, Kind kind, int uid, long inode, boolean settled) {
  private static final int ESTABLISHED = 0x01;
  private static final int FIN_WAIT1 = 0x04;
  private static final int FIN_WAIT2 = 0x05;
  private static final int TIME_WAIT = 0x06;
  private static final int CLOSE = 0x07;
  private static final int LISTEN = 0x0a;

  /** What a socket can still do. */
  public enum Kind {
    /** Can send data to its remote address. */
    SENDING,
    /** Waits for others: a TCP listener, or a UDP socket that is bound and not connected. */
    WAITING,
    /** Says nothing more but acknowledgements. */
    OVER
  }

  /**
   * @param state the kernel's number for it
   * @param inode 0 where no process has accepted or still has it
   */
  static SocketRow of(Flow flow, int state, int uid, long inode) {
    Kind kind = kind(flow.transport(), state);
    // Who is accepted, or has its last data acknowledged, is not counted.
    boolean passing = kind == Kind.SENDING && (inode == 0 || state == FIN_WAIT1);
    return new SocketRow(flow, kind, uid, inode, flow.transport() == Transport.UDP || !passing);
  }

  private static Kind kind(Transport transport, int state) {
    if (transport == Transport.UDP) {
      return state == ESTABLISHED ? Kind.SENDING : Kind.WAITING;
    }
    return switch (state) {
      case LISTEN -> Kind.WAITING;
      case FIN_WAIT2, TIME_WAIT, CLOSE -> Kind.OVER;
      default -> Kind.SENDING;
    };
  }
}
