package org.paceline.agent.sense;

/**
 * One line of the kernel's socket table.
 *
 * @param inode the socket's, by which its process can be found; 0 while nobody has accepted it
 * @param settled whether the kernel counts the next change of its kind or inode
 */
public record SocketRow(Flow flow, Kind kind, int uid, long inode, boolean settled) {

  /** What a socket can still do. */
  public enum Kind {
    /** Can send data to its remote address. */
    SENDING,
    /** Waits for others: a TCP listener, or a UDP socket that is bound and not connected. */
    WAITING,
    /** Says nothing more but acknowledgements. */
    OVER
  }
}
