package org.paceline.control.ingress;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.paceline.intents.address.IpAddress;

/** How it stands with one ingress. */
@AutoValue
public abstract class IngressState {
  /** The list in force, as it would be without the bound. */
  public abstract IngressList list();

  /** How many of the list's pairs are in force: the first. */
  public abstract int inForce();

  /** For how many days a pair stays on the list. */
  public abstract int ageingDays();

  /** Empty where the exporter is none of those whose records are taken; it has been one. */
  public abstract Optional<ExporterCounts> counts();

  /** When anything came from it last. */
  public abstract Optional<Instant> heardAt();

  /** How many sums are kept of what it told since the list was made. */
  public abstract int sums();

  /** What was let go for want of room for sums, or since its record was too long, in bytes. */
  public abstract long letGoBytes();

  /** How many records were let go that were of another day or of the future. */
  public abstract long untimely();

  static Builder builder() {
    return new AutoValue_IngressState.Builder()
        .counts(Optional.empty())
        .heardAt(Optional.empty())
        .sums(0)
        .letGoBytes(0)
        .untimely(0);
  }

  public final IpAddress exporter() {
    return list().exporter();
  }

  /** The first day on which it is no longer on the list, if it has no alpha flow until then. */
  public final LocalDate agesOutOn(IngressPair pair) {
    return pair.lastSeen().plusDays(ageingDays() + 1L);
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder list(IngressList list);

    abstract Builder inForce(int pairs);

    abstract Builder ageingDays(int days);

    abstract Builder counts(Optional<ExporterCounts> counts);

    abstract Builder heardAt(Optional<Instant> at);

    abstract Builder sums(int sums);

    abstract Builder letGoBytes(long bytes);

    abstract Builder untimely(long records);

    abstract IngressState build();
  }
}
