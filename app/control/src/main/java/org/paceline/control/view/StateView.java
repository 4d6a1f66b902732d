package org.paceline.control.view;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.planning.Plan;
import org.paceline.control.planning.PlanSummary;
import org.paceline.control.settings.PlanMode;
import org.paceline.intents.unit.DataRate;

/** The whole in a few numbers. */
@AutoValue
public abstract class StateView {
  public abstract PlanMode mode();

  public abstract Plan plan();

  public abstract DataRate lent();

  public abstract int agents();

  /** Where agents call in, and who is let in there; for a person. */
  public abstract String agentsPort();

  public abstract int conversations();

  public abstract int alarms();

  /** Hosts that send what no rule names. */
  public abstract List<BesideRules.Sender> beside();

  /** A sentence for each thing that is odd about flows of hosts without an agent. */
  public abstract List<String> guests();

  public final PlanSummary summary() {
    return plan().summary();
  }

  public final int granted() {
    return plan().grants().size();
  }

  public final int unserved() {
    return plan().unserved().size();
  }

  /** What no rule names and is held nevertheless, of all hosts together. */
  public final DataRate managedBeside() {
    return sum(beside(), BesideRules.Sender::managed);
  }

  /** What no rule names and nobody holds, of all hosts together. */
  public final DataRate unmanagedBeside() {
    return sum(beside(), BesideRules.Sender::unmanaged);
  }

  /** A sentence for each host that sends much beside the rules, and what is odd about guests. */
  public final List<String> notes() {
    return Stream.concat(
            beside().stream()
                .filter(BesideRules.Sender::isNotable)
                .map(BesideRules.Sender::sentence),
            guests().stream())
        .collect(Collectors.toUnmodifiableList());
  }

  private static <T> DataRate sum(List<T> all, Function<T, DataRate> rate) {
    return all.stream().map(rate).reduce(DataRate.ZERO, DataRate::plus);
  }

  public static Builder builder() {
    return new AutoValue_StateView.Builder().guests(List.of());
  }

  /** Builds a view of the state. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder mode(PlanMode mode);

    public abstract Builder plan(Plan plan);

    public abstract Builder lent(DataRate rate);

    public abstract Builder agents(int number);

    public abstract Builder agentsPort(String sentence);

    public abstract Builder conversations(int number);

    public abstract Builder alarms(int number);

    public abstract Builder beside(List<BesideRules.Sender> senders);

    public abstract Builder guests(List<String> sentences);

    public abstract StateView build();
  }
}
