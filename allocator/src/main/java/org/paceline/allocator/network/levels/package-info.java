/**
 * The greatest level of utility that everybody can have, and who can be reached at all; uses
 * groups, core, prices and packing.
 */
package org.paceline.allocator.network.levels;
