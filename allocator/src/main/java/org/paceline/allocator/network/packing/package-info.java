/** Allocations that fit, beside prices: rounding, annealing, levelling and repair; uses groups. */
package org.paceline.allocator.network.packing;
