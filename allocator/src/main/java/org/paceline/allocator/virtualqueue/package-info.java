/**
 * Weighted max-min without a controller: hosts find their shares by the utilisation of a virtual
 * queue; uses no other package here.
 */
package org.paceline.allocator.virtualqueue;
