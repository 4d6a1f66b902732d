/**
 * Adaptive reservations: what a flow leaves unused of its reservation is there for others until it
 * asks for it. Boley, Jung and Kettimuthu 2017 (AQoS); uses the filling of maxmin.
 */
package org.paceline.allocator.reservation;
