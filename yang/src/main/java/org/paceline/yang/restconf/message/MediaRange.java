package org.paceline.yang.restconf.message;

import java.util.Locale;
import java.util.stream.Stream;

/** Whether a client takes what is served (RFC 7231, section 5.3.2). */
public final class MediaRange {
  private static final int EXACT = 2;

  private MediaRange() {}

  /**
   * Whether the header allows the type: what names it most closely decides, and a weight of 0 says
   * no.
   */
  public static boolean allows(String accept, String type) {
    if (accept.isBlank()) {
      return true;
    }
    for (int closeness = EXACT; closeness >= 0; closeness--) {
      String range = range(type, closeness);
      String[] naming =
          Stream.of(accept.split(",", -1))
              .filter(one -> name(one).equals(range))
              .toArray(String[]::new);
      if (naming.length > 0) {
        return Stream.of(naming).anyMatch(MediaRange::isWanted);
      }
    }
    return false;
  }

  /** Of a Content-Type or of one range of Accept, what stands before its parameters. */
  static String name(String value) {
    return value.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
  }

  private static String range(String type, int closeness) {
    if (closeness == EXACT) {
      return type;
    }
    return closeness == 0 ? "*/*" : type.substring(0, type.indexOf('/')) + "/*";
  }

  private static boolean isWanted(String range) {
    return Stream.of(range.split(";", -1))
        .map(String::trim)
        .noneMatch(parameter -> parameter.matches("[qQ]=0(\\.0*)?"));
  }
}
