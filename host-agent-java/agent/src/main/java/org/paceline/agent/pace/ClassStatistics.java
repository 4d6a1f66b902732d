package org.paceline.agent.pace;

/**
 * One conversation's class as the kernel shows it.
 *
 * @param sentBytes with departure times: of frames that have got theirs
 */
public record ClassStatistics(
    int minor,
    long rateBitsPerSecond,
    long sentBytes,
    long sentPackets,
    long droppedPackets,
    long backlogBytes) {}
