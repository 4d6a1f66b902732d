package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.Locale;
import java.util.regex.Pattern;
import org.paceline.intents.document.Quoted;

/**
 * The MAC addresses that begin alike: one whole address, or a maker's (OUI, {@code 00:1b:54}), with
 * what people call it.
 */
@AutoValue
public abstract class MacPrefix {
  private static final Pattern FORM =
      Pattern.compile(
          "[0-9a-f]{2}([:-][0-9a-f]{2}){2,5}|[0-9a-f]{4}(\\.[0-9a-f]{4}){2}|[0-9a-f]{12}");

  private static final int OCTET_DIGITS = 2;

  /** In lower case with colons, 3 to 6 octets. */
  public abstract String prefix();

  /** For people; may be empty. */
  public abstract String name();

  /**
   * Reads {@code 00:1b:54:aa:bb:cc}, {@code 00-1B-54-AA-BB-CC}, {@code 001b.54aa.bbcc} or their
   * first three octets.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static MacPrefix parse(String text, String name) {
    String lower = text.trim().toLowerCase(Locale.ROOT);
    if (!FORM.matcher(lower).matches()) {
      throw new IllegalArgumentException(
          "The MAC address "
              + Quoted.of(text)
              + " must be 3 to 6 octets. Maybe 00:1b:54:aa:bb:cc, or 00:1b:54 for all of a maker.");
    }
    String digits = lower.replaceAll("[^0-9a-f]", "");
    StringBuilder colons = new StringBuilder();
    for (int i = 0; i < digits.length(); i += OCTET_DIGITS) {
      colons.append(i == 0 ? "" : ":").append(digits, i, i + OCTET_DIGITS);
    }
    return new AutoValue_MacPrefix(colons.toString(), name.trim());
  }
}
