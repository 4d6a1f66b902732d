/**
 * The scheme of adaptive reservations: what is not used is lent until it is asked for. Boley et al.
 * 2017 (AQoS).
 */
package org.paceline.control.scheme.reservation;
