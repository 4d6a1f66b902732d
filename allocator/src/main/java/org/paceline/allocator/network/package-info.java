/** Many bottlenecks: prices, columns, rounding, bound. */
package org.paceline.allocator.network;
