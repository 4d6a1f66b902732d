/**
 * From conversations and the network to a plan.
 *
 * <p>It uses the seam between schemes, no scheme itself, and what comes before them, and knows
 * nothing of how a plan is put into effect.
 */
package org.paceline.control.planning;
