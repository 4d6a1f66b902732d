package org.paceline.agent.flow;

/**
 * A flow seen for the first time, and the interface that its packet leaves by.
 *
 * @param opensConnection whether the packet is the first of a TCP connection in its direction
 */
public record FirstPacket(Flow flow, String outInterface, boolean opensConnection) {}
