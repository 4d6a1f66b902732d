/**
 * Picks the method by the problem, and takes apart what is several problems; uses exact, path, and
 * of network what searches boxes.
 */
package org.paceline.allocator.auto;
