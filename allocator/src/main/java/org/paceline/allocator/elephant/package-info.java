/**
 * Elephants: alpha flows in flow records, the lists of address prefixes between which they recur,
 * and how much such lists would have caught; their paths, and their share of each port. Uses no
 * other package here. Yan et al. 2013.
 */
package org.paceline.allocator.elephant;
