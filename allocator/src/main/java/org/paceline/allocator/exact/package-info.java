/** One bottleneck: exact, in microseconds. */
package org.paceline.allocator.exact;
