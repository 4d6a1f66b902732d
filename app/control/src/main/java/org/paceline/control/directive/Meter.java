package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
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

  /** The same rate where no agent keeps to it. */
  public static Meter insteadOf(Pace pace) {
    return new AutoValue_Meter(pace.owner(), pace.reason(), pace.conversation(), pace.rate());
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
