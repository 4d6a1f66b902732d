package org.paceline.control.reservations;

/** What happens to a reservation. */
public enum ReservationStep {
  HELD,
  COMMITTED,
  CANCELLED,
  /** All of a transfer was sent by its deadline. */
  MET,
  /** A transfer's deadline passed before all was sent. */
  MISSED,
  /** Its time was over, or nobody committed it. */
  ENDED
}
