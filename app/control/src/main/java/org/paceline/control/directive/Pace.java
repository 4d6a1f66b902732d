package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** A host's agent is to keep what a conversation sends, or receives, to a rate. */
@AutoValue
public abstract class Pace implements RateDirective {
  @Override
  public abstract SchemeName owner();

  @Override
  public abstract Reason reason();

  @Override
  public abstract ConversationId conversation();

  @Override
  public abstract DataRate rate();

  public static Pace of(
      SchemeName owner, Reason reason, ConversationId conversation, DataRate rate) {
    return new AutoValue_Pace(owner, reason, conversation, rate);
  }

  @Override
  public final Kind kind() {
    return Kind.PACE;
  }

  /** For the same reason at another rate, such as a step on the way to this one. */
  public Pace at(DataRate other) {
    return of(owner(), reason(), conversation(), other);
  }
}
