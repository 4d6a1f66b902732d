package org.paceline.control.reservations;

/** What happens to a reservation. */
public enum ReservationStep {
  HELD,
  COMMITTED,
  CANCELLED,
  /** Its time was over, or nobody committed it. */
  ENDED
}
