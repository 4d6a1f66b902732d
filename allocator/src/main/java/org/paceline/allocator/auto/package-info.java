/**
 * Picks the method by the problem, and takes apart what is several problems; uses exact and path.
 */
package org.paceline.allocator.auto;
