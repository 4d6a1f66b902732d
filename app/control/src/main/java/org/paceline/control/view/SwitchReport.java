package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.control.directive.PortScheduler;

/** What one switch can do for conversations, and how much of it is in use. */
@AutoValue
public abstract class SwitchReport {
  public abstract String id();

  public abstract boolean isConnected();

  /** As it describes itself. */
  public abstract String description();

  /** How many meters it says that it has; empty where it does not say. */
  public abstract Optional<Long> meters();

  public abstract long metersAllowed();

  public abstract long metersUsed();

  /** The size of its first table; empty where it does not say. */
  public abstract Optional<Long> tableSize();

  public abstract long rulesAllowed();

  public abstract long rulesUsed();

  /** How it keeps managed packets apart: none, dscp, or a queue's number. */
  public abstract String separation();

  /** Who divides its ports between elephants and others; empty where nobody does. */
  public abstract Optional<PortScheduler> scheduler();

  public static Builder builder() {
    return new AutoValue_SwitchReport.Builder();
  }

  /** Builds a report. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder id(String id);

    public abstract Builder isConnected(boolean connected);

    public abstract Builder description(String description);

    public abstract Builder meters(Optional<Long> meters);

    public abstract Builder metersAllowed(long meters);

    public abstract Builder metersUsed(long meters);

    public abstract Builder tableSize(Optional<Long> rules);

    public abstract Builder rulesAllowed(long rules);

    public abstract Builder rulesUsed(long rules);

    public abstract Builder separation(String separation);

    public abstract Builder scheduler(Optional<PortScheduler> scheduler);

    public abstract SwitchReport build();
  }
}
