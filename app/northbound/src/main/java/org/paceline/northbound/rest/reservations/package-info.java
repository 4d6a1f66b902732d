/** Promises for later. */
package org.paceline.northbound.rest.reservations;
