/** Arrivals, departures and changes of the network on a live solution. */
package org.paceline.allocator.incremental;
