package org.paceline.control.reservations;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** Yes; or no, why, and what would be possible instead. */
@AutoValue
public abstract class Answer {
  /** For a person, with a way out; empty for yes. */
  public abstract Optional<String> refusal();

  /** What would be admitted now; empty where nothing would. */
  public abstract Optional<Wish> counterOffer();

  /** What is held now; empty where nothing is. */
  public abstract Optional<Reservation> held();

  public static Answer yes() {
    return new AutoValue_Answer(Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static Answer yes(Reservation held) {
    return new AutoValue_Answer(Optional.empty(), Optional.empty(), Optional.of(held));
  }

  public static Answer no(String why, Optional<Wish> counterOffer) {
    return new AutoValue_Answer(Optional.of(why), counterOffer, Optional.empty());
  }

  public boolean isYes() {
    return refusal().isEmpty();
  }
}
