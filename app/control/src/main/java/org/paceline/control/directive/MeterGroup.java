package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import org.paceline.intents.tree.IntentPath;

/**
 * Conversations that may share a meter: those of one sub-class of a service class. A switch has one
 * meter for those of them that take the same path from it.
 */
@AutoValue
public abstract class MeterGroup {
  /** The intent that says the weight of the class. */
  public abstract IntentPath serviceClass();

  /** The part of the class by what its conversations reach, such as L or HL; empty: no split. */
  public abstract String subClass();

  public static MeterGroup of(IntentPath serviceClass, String subClass) {
    return new AutoValue_MeterGroup(serviceClass, subClass);
  }

  /** For a person. */
  @Override
  public final String toString() {
    return subClass().isEmpty() ? serviceClass().toString() : serviceClass() + " " + subClass();
  }
}
