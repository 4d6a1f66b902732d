/**
 * Elephant isolation: who is an elephant, its path, and its share of each port. Yan et al. 2013.
 */
package org.paceline.allocator.elephant;
