package org.paceline.control.naming;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.paceline.intents.document.Quoted;

/** By which a rule refers to a set that stands beside the rules: {@code @name}. */
final class SetName {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final String SIGN = "@";

  private SetName() {}

  static boolean isReference(String word) {
    return word.startsWith(SIGN);
  }

  /**
   * @param what the name is of
   * @throws IllegalArgumentException if it cannot be one
   */
  static String checked(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The "
              + what
              + " "
              + Quoted.of(name)
              + " must be 1 to 64 letters, digits, '_', '.' or '-', not beginning with a sign.");
    }
    return name;
  }

  /**
   * @throws IllegalArgumentException if there is no such set
   */
  static <T> List<T> find(String what, String word, Map<String, List<T>> sets) {
    return Optional.ofNullable(sets.get(word.substring(SIGN.length())))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There are no "
                        + what
                        + " "
                        + Quoted.of(word)
                        + ". "
                        + (sets.isEmpty()
                            ? "Maybe name them first, beside the rules: "
                                + what
                                + ": {NAME: [...]}."
                            : "Maybe you meant one of @"
                                + String.join(", @", new TreeSet<>(sets.keySet()))
                                + ".")));
  }
}
