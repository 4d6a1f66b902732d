/**
 * Elephants: alpha flows in flow records, the lists of address prefixes between which they recur,
 * and how much such lists would have caught; uses no other package here. Yan et al. 2013, section
 * II.
 */
package org.paceline.allocator.elephant;
