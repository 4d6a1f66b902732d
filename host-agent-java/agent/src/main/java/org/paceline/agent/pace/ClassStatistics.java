package org.paceline.agent.pace;

/** One HTB class as the kernel shows it. */
public record ClassStatistics(
    int minor,
    long rateBitsPerSecond,
    long sentBytes,
    long sentPackets,
    long droppedPackets,
    long backlogBytes) {}
