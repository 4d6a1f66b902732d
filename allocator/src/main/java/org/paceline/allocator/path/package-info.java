/** Paths within a delay: candidates to begin with, and the cheapest of all at given prices. */
package org.paceline.allocator.path;
