/** Link prices that bound the sum over all paths, and what the groups choose there; uses groups. */
package org.paceline.allocator.network.prices;
