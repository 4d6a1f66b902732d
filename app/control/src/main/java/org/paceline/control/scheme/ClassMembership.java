package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.unit.DataRate;

/** The service class of a conversation, and the rates that hold for itself alone. */
@AutoValue
public abstract class ClassMembership {
  /** The intent that says the weight; all that inherit it from there are of one class. */
  public abstract IntentPath serviceClass();

  /** w_s: relative, from 1. */
  public abstract int weight();

  /** What is reserved for it; zero for nothing. */
  public abstract DataRate least();

  /** What its intent lets it have at most. */
  public abstract DataRate most();

  /**
   * The class that an intent is of.
   *
   * @param reserved zero for nothing; no more of it counts than the intent allows
   */
  public static ClassMembership of(EffectivePolicy policy, DataRate reserved) {
    DataRate most = policy.maximumRate().map(Sourced::value).orElse(DataRate.MAX);
    return new AutoValue_ClassMembership(
        policy.classWeight().origin(),
        policy.classWeight().value(),
        reserved.compareTo(most) < 0 ? reserved : most,
        most);
  }

  /** The same with so much reserved, as far as its intent lets it have that. */
  ClassMembership reserving(DataRate rate) {
    return new AutoValue_ClassMembership(
        serviceClass(), weight(), rate.compareTo(most()) < 0 ? rate : most(), most());
  }
}
