package org.paceline.agent.config;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.paceline.agent.application.Allowances;

/**
 * Where the agent answers other programs of its host.
 *
 * @param metrics where Prometheus is answered; empty: nowhere
 * @param applications what these may say themselves; empty: nothing
 */
public record LocalAccess(Optional<InetSocketAddress> metrics, Optional<Allowances> applications) {}
