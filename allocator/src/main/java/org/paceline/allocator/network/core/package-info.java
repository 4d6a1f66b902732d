/** Small problems of choice, searched to the end by a solver that is handed in; uses groups. */
package org.paceline.allocator.network.core;
