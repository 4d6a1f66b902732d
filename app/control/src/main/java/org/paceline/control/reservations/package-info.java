/**
 * Rates asked for ahead of time: admission, calendar, and what is reserved now.
 *
 * <p>It uses what comes before it.
 */
package org.paceline.control.reservations;
