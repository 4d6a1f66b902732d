package org.paceline.agent.sockets;

/**
 * A TCP socket as the kernel shows it.
 *
 * @param cookie its own, never given again
 * @param inode by which its holder is found; 0 where it has none: not accepted yet, or closed with
 *     data left to send
 * @param greatestRate in payload bytes per second, at which the kernel lets it send at most; {@link
 *     #ANY_RATE}
 * @param segmentBytes of payload in a full segment
 * @param overheadBytes of headers around it in its frame
 * @param sentBytes of payload, what was sent again included
 */
public record TcpSocket(
    long cookie,
    long inode,
    long greatestRate,
    int segmentBytes,
    int overheadBytes,
    long sentBytes,
    long sentSegments) {
  /** As the kernel and its callers say: the greatest number that has no sign. */
  public static final long ANY_RATE = -1;

  public long sentFrameBytes() {
    return sentBytes + sentSegments * overheadBytes;
  }

  /** What its payload may take where its frames may take this, both in bytes per second. */
  public long payloadRate(long frames) {
    return frames * segmentBytes / (segmentBytes + overheadBytes);
  }
}
