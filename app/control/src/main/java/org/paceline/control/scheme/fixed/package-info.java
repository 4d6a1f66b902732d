/**
 * The fixed-rate scheme: what a conversation has is the operator's word, whatever it is worth.
 *
 * <p>Behind the seam only {@code FixedRateScheme} is seen.
 */
package org.paceline.control.scheme.fixed;
