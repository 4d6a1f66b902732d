package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import java.util.Optional;
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

  /**
   * Up to what it may borrow what others of its interface leave unused; zero for not at all.
   * Schemes leave it to who sizes the pools.
   */
  public abstract DataRate borrowsUpTo();

  /** Who of its interface borrows first: 0 before 1, and so on. */
  public abstract int borrowRank();

  /**
   * Whether anybody is to hold the conversation to it. Elephants send as they like: theirs is only
   * what plans reckon with, and the queues of ports keep others from them.
   */
  public abstract boolean isHeld();

  /** With whom it may share a meter where it has no agent; empty for a meter of its own. */
  public abstract Optional<MeterGroup> meterGroup();

  public static Pace of(
      SchemeName owner, Reason reason, ConversationId conversation, DataRate rate) {
    return new AutoValue_Pace(
        owner, reason, conversation, rate, DataRate.ZERO, 0, true, Optional.empty());
  }

  /** A rate to reckon with, to which nobody holds the conversation. */
  public static Pace reckoned(
      SchemeName owner, Reason reason, ConversationId conversation, DataRate rate) {
    return new AutoValue_Pace(
        owner, reason, conversation, rate, DataRate.ZERO, 0, false, Optional.empty());
  }

  @Override
  public final Kind kind() {
    return Kind.PACE;
  }

  /** For the same reason at another rate, such as a step on the way to this one. */
  public Pace at(DataRate other) {
    return new AutoValue_Pace(
        owner(),
        reason(),
        conversation(),
        other,
        borrowsUpTo(),
        borrowRank(),
        isHeld(),
        meterGroup());
  }

  /** To the same rate the conversation is held all the same. */
  public Pace held() {
    return new AutoValue_Pace(
        owner(), reason(), conversation(), rate(), borrowsUpTo(), borrowRank(), true, meterGroup());
  }

  /** The same rate for another reason. */
  Pace because(Reason other) {
    return new AutoValue_Pace(
        owner(),
        other,
        conversation(),
        rate(),
        borrowsUpTo(),
        borrowRank(),
        isHeld(),
        meterGroup());
  }

  /** The same rate, and more of what others leave unused. */
  public Pace upTo(DataRate most, int rank) {
    return new AutoValue_Pace(
        owner(), reason(), conversation(), rate(), most, rank, isHeld(), meterGroup());
  }

  /** The same rate, as a part of the meter of these where it has no agent. */
  public Pace sharing(MeterGroup group) {
    return new AutoValue_Pace(
        owner(),
        reason(),
        conversation(),
        rate(),
        borrowsUpTo(),
        borrowRank(),
        isHeld(),
        Optional.of(group));
  }
}
