package org.paceline.control.port;

import com.google.auto.value.AutoValue;
import java.time.Clock;
import java.util.concurrent.Executor;

/** Everything of the world that the planner touches. */
@AutoValue
public abstract class PlannerPorts {
  public abstract NetworkView network();

  public abstract RateSender rates();

  public abstract PathInstaller paths();

  /** Owns the planner's state. */
  public abstract Worker worker();

  /** Runs the solver, beside the worker. */
  public abstract Executor solving();

  /** Runs the solver beside that, where nobody waits for it. */
  public abstract Executor improving();

  public abstract KnownHosts hosts();

  /** Nothing is reserved unless set. */
  public abstract ReservedRates reserved();

  /** Unknown unless set. */
  public abstract DeviceCapabilities capabilities();

  /** Nobody divides ports unless set. */
  public abstract PortQueues queues();

  /** Unknown unless set. */
  public abstract LinkRates links();

  public abstract Clock clock();

  public abstract Journal journal();

  public static Builder builder() {
    return new AutoValue_PlannerPorts.Builder()
        .reserved(ReservedRates.NONE)
        .capabilities(DeviceCapabilities.UNKNOWN)
        .queues(PortQueues.NOBODY)
        .links(LinkRates.UNKNOWN);
  }

  /** Builds ports. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder network(NetworkView network);

    public abstract Builder rates(RateSender rates);

    public abstract Builder paths(PathInstaller paths);

    public abstract Builder worker(Worker worker);

    public abstract Builder solving(Executor solving);

    public abstract Builder improving(Executor improving);

    public abstract Builder hosts(KnownHosts hosts);

    public abstract Builder reserved(ReservedRates reserved);

    public abstract Builder capabilities(DeviceCapabilities capabilities);

    public abstract Builder queues(PortQueues queues);

    public abstract Builder links(LinkRates links);

    public abstract Builder clock(Clock clock);

    public abstract Builder journal(Journal journal);

    public abstract PlannerPorts build();
  }
}
