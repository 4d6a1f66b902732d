package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** The first switch on its path is to drop what a conversation sends beyond a rate. */
@AutoValue
public abstract class Meter implements RateDirective {
  @Override
  public abstract SchemeName owner();

  @Override
  public abstract Reason reason();

  @Override
  public abstract ConversationId conversation();

  @Override
  public abstract DataRate rate();

  /** With whom it shares a meter, whose rate is the sum of theirs; empty for a meter of its own. */
  public abstract Optional<MeterGroup> group();

  /** The same rate where no agent keeps to it, by a meter of its own. */
  public static Meter insteadOf(Pace pace) {
    return new AutoValue_Meter(
        pace.owner(), pace.reason(), pace.conversation(), pace.rate(), Optional.empty());
  }

  /** The same rate where no agent keeps to it, as a part of its group's meter where it has one. */
  public static Meter sharedInsteadOf(Pace pace) {
    return new AutoValue_Meter(
        pace.owner(), pace.reason(), pace.conversation(), pace.rate(), pace.meterGroup());
  }

  /** The same rate as its agent is told it where the meter is there since that is not believed. */
  public Pace told() {
    return Pace.of(owner(), reason(), conversation(), rate());
  }

  @Override
  public final Kind kind() {
    return Kind.METER;
  }
}
