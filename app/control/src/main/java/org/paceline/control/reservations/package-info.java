/** Rates asked for ahead of time: admission, calendar, and what is reserved at this moment. */
package org.paceline.control.reservations;
