package org.paceline.intents.unit;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.paceline.intents.document.Quoted;

/** Differentiated services code points by their names (RFC 2474, 2597, 3246, 5865, 8622). */
public final class Dscp {
  private static final int HIGHEST = 63;
  private static final Map<String, Integer> NUMBERS = numbers();

  private Dscp() {}

  private static Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put("LE", 1);
    numbers.put("EF", 46);
    numbers.put("VA", 44);
    for (int i = 0; i < 8; i++) {
      numbers.put("CS" + i, 8 * i);
    }
    for (int i = 1; i <= 4; i++) {
      for (int j = 1; j <= 3; j++) {
        numbers.put("AF" + i + j, 8 * i + 2 * j);
      }
    }
    return numbers;
  }

  /** The name, or the number of one that has none. */
  public static String text(int number) {
    return NUMBERS.entrySet().stream()
        .filter(e -> e.getValue() == number)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(Integer.toString(number));
  }

  /**
   * The number, from 0 to 63, of what is written as its name or as itself.
   *
   * @throws IllegalArgumentException if it is no code point
   */
  public static int parse(String text) {
    String upper = text.trim().toUpperCase(Locale.ROOT);
    Integer named = NUMBERS.get(upper);
    if (named != null) {
      return named;
    }
    if (upper.matches("\\d{1,2}") && Integer.parseInt(upper) <= HIGHEST) {
      return Integer.parseInt(upper);
    }
    throw new IllegalArgumentException(
        "The dscp "
            + Quoted.of(text)
            + " is no code point. Maybe EF, AF41, CS1 or their like, or a number from 0 to 63.");
  }
}
