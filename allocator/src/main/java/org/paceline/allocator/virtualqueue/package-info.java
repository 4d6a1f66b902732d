/**
 * Weighted max-min in a small network: hosts find their shares without a controller, by the
 * utilisation of a virtual queue, or all at once within what links and the air of a wireless cell
 * carry; uses no other package here.
 */
package org.paceline.allocator.virtualqueue;
