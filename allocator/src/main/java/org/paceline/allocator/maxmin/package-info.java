/**
 * Weighted max-min fair rates on a network, between what is promised and what can be used; uses no
 * other package here.
 */
package org.paceline.allocator.maxmin;
