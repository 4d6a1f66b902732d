/**
 * Shares links by utility: from the problem to grants, as the paper does it.
 *
 * <p>Behind the seam only {@code UtilityScheme} is seen. The package uses the settings, and knows
 * no switch and no agent.
 */
package org.paceline.control.scheme.utility;
