package org.paceline.agent.sense;

/** A flow seen for the first time, and the interface that its packet leaves by. */
public record Sighting(Flow flow, String outInterface) {}
