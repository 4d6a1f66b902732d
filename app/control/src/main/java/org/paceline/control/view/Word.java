package org.paceline.control.view;

import java.util.Locale;

/** The words of states and kinds, as people read them and programs compare them. */
public final class Word {
  private Word() {}

  /** The name in lower case: {@code as_wanted}. */
  public static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
