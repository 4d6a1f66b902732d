package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import org.paceline.intents.utility.UtilityFunction;

/**
 * One application flow a of the paper, from S_a to T_a, or a number of identical ones: what the
 * allocator knows of a conversation.
 */
@AutoValue
public abstract class Application {
  public abstract String id();

  public abstract String from();

  public abstract String to();

  public abstract UtilityFunction utilityFunction();

  /** How many identical applications this stands for, at least 1. */
  public abstract int count();

  /** Who gives way last where not all can be admitted: the greater number. */
  public abstract int priority();

  public static Application of(String id, String from, String to, UtilityFunction function) {
    return of(id, from, to, function, 1, 0);
  }

  public static Application of(
      String id, String from, String to, UtilityFunction function, int count, int priority) {
    if (count < 1) {
      throw new IllegalArgumentException(
          "The count (" + count + ") of application (" + id + ") must be at least 1.");
    }
    if (from.equals(to)) {
      throw new IllegalArgumentException(
          "The application ("
              + id
              + ") talks from ("
              + from
              + ") to itself. Maybe leave local traffic out: it uses no link.");
    }
    return new AutoValue_Application(id, from, to, function, count, priority);
  }

  public Application withCount(int count) {
    return of(id(), from(), to(), utilityFunction(), count, priority());
  }
}
