package org.paceline.agent.config;

import org.paceline.intents.unit.DataRate;

/**
 * Rates that do not come from the controller.
 *
 * @param defaultRate of a conversation that has no grant yet
 * @param newcomersRate what all senders share between their first packet and a class of their own
 * @param safeRate what a conversation may have at most when no controller was heard for a lease,
 *     unless it had more before
 */
public record RateSettings(DataRate defaultRate, DataRate newcomersRate, DataRate safeRate) {}
