/**
 * Rates that are asked for ahead, or for a conversation from now on; uses policy and conversations.
 */
package org.paceline.cli.reservations;
