/**
 * What is there now: open conversations, attached agents, paths, and what enforcers report.
 *
 * <p>It uses what comes before it: model, ports, audit and settings.
 */
package org.paceline.control.inventory;
