package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.tree.SchemeName;

/** Yes; or no, why, and what would be possible instead. */
@AutoValue
public abstract class AdmissionDecision {
  /** For a person, with a way out; empty for yes. */
  public abstract Optional<String> refusal();

  /** What would be admitted now; empty where nothing would. */
  public abstract Optional<ReservationRequest> counterOffer();

  /** What is held now; empty where nothing is. */
  public abstract Optional<Reservation> held();

  /** Of a yes, the scheme whose promises it was admitted beside; empty where that was not asked. */
  abstract Optional<SchemeName> by();

  public static AdmissionDecision yes() {
    return of(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  static AdmissionDecision yes(SchemeName by) {
    return of(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(by));
  }

  public static AdmissionDecision yes(Reservation held) {
    return of(Optional.empty(), Optional.empty(), Optional.of(held), held.promisedBy());
  }

  public static AdmissionDecision no(String why, Optional<ReservationRequest> counterOffer) {
    return of(Optional.of(why), counterOffer, Optional.empty(), Optional.empty());
  }

  private static AdmissionDecision of(
      Optional<String> refusal,
      Optional<ReservationRequest> counterOffer,
      Optional<Reservation> held,
      Optional<SchemeName> by) {
    return new AutoValue_AdmissionDecision(refusal, counterOffer, held, by);
  }

  public boolean isYes() {
    return refusal().isEmpty();
  }
}
