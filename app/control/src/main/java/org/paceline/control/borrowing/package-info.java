/**
 * What nobody uses of a plan's rates and links, for a while to others: as loans, which are told to
 * agents, and in pools, whose conversations take it at the kernel's speed.
 *
 * <p>It uses the inventory and what comes before it.
 */
package org.paceline.control.borrowing;
