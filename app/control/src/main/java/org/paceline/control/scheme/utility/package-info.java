/**
 * Shares links by utility: from the problem to grants, as the paper does it.
 *
 * <p>It uses the settings and the paths of the inventory, and knows no switch and no agent.
 */
package org.paceline.control.scheme.utility;
