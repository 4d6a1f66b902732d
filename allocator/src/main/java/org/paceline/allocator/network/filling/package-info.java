/**
 * Water-filling, which lifts the lowest first: searched where networks are small; uses groups, core
 * and prices.
 */
package org.paceline.allocator.network.filling;
