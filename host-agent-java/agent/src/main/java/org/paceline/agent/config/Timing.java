package org.paceline.agent.config;

import java.time.Duration;

/**
 * What happens how often, and what lasts how long.
 *
 * @param scanInterval how often the socket table is read in full; new conversations are seen by
 *     their first packet and do not wait for it
 * @param linger how long a conversation lives on without a socket
 * @param restartGrace how long rates stay when the agent was killed, for the next one to take over
 */
public record Timing(
    Duration scanInterval, Duration reportInterval, Duration linger, Duration restartGrace) {}
