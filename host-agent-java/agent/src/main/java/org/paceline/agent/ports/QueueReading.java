package org.paceline.agent.ports;

/**
 * What one queue of a port has counted since it was made.
 *
 * @param bytes of frames that left it, from an Ethernet header on
 * @param packets that left it
 * @param droppedPackets that found no room
 */
public record QueueReading(long bytes, long packets, long droppedPackets) {}
