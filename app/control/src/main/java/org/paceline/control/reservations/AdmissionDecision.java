package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** Yes; or no, why, and what would be possible instead. */
@AutoValue
public abstract class AdmissionDecision {
  /** For a person, with a way out; empty for yes. */
  public abstract Optional<String> refusal();

  /** What would be admitted now; empty where nothing would. */
  public abstract Optional<ReservationRequest> counterOffer();

  /** What is held now; empty where nothing is. */
  public abstract Optional<Reservation> held();

  public static AdmissionDecision yes() {
    return new AutoValue_AdmissionDecision(Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static AdmissionDecision yes(Reservation held) {
    return new AutoValue_AdmissionDecision(Optional.empty(), Optional.empty(), Optional.of(held));
  }

  public static AdmissionDecision no(String why, Optional<ReservationRequest> counterOffer) {
    return new AutoValue_AdmissionDecision(Optional.of(why), counterOffer, Optional.empty());
  }

  public boolean isYes() {
    return refusal().isEmpty();
  }
}
