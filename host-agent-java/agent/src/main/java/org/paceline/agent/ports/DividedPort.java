package org.paceline.agent.ports;

import java.time.Duration;
import java.time.Instant;

/**
 * A divided port as the kernel shows it.
 *
 * @param since when this agent made these queues, or found them; counters only grow while it stays
 * @param running from then to this reading, by a clock that is never set
 */
public record DividedPort(
    PortShares shares,
    QueueReading elephants,
    QueueReading others,
    Instant since,
    Duration running) {}
