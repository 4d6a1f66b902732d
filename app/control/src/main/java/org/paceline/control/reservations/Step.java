package org.paceline.control.reservations;

/** What happens to a reservation. */
public enum Step {
  HELD,
  COMMITTED,
  CANCELLED,
  /** Its time was over, or nobody committed it. */
  ENDED
}
