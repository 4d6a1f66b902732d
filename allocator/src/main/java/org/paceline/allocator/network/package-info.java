/**
 * Many bottlenecks: from a problem to an outcome, by the methods of the packages below, each of
 * which uses only those before it: groups, core, prices, packing, levels, filling, cells; boxes and
 * load.
 */
package org.paceline.allocator.network;
