package org.paceline.client;

/**
 * What a conversation of this process was granted. Rates count layer-2 frames.
 *
 * @param grantedBitsPerSecond 0 without a grant: the default rate holds
 * @param installedBitsPerSecond as the host's kernel was last read to hold it
 * @param measuredBitsPerSecond that was sent between the agent's last two reports
 */
public record Grant(
    String id,
    String intent,
    String local,
    String remote,
    long grantedBitsPerSecond,
    long installedBitsPerSecond,
    long measuredBitsPerSecond) {}
