package org.paceline.agent.sockets;

/**
 * How TCP fares, by the kernel's own account: {@code tcp_info} of linux/tcp.h.
 *
 * @param retransmittedSegments sent again since the socket connected
 * @param smoothedRttMicros RFC 6298's SRTT; 0 before the first measurement
 * @param busyMicros how long it has had something to send, since it connected
 * @param farEndMicros of that, for how long the far end's receive window held it back
 */
public record TcpInfo(
    long retransmittedSegments, long smoothedRttMicros, long busyMicros, long farEndMicros) {}
