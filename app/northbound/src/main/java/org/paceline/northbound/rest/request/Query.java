package org.paceline.northbound.rest.request;

import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.document.WholeNumber;

/** What a request asks for in its query: which page of a list, and which of its items. */
public final class Query {
  static final int MOST = 10_000;
  private static final int USUAL = 100;

  private Query() {}

  /** At most so many; many where it is not said. */
  public static int limit(@Nullable String text) {
    return (int) number("limit", text, 1, MOST, USUAL);
  }

  /** A number that items must stay below; without, any. */
  public static long before(@Nullable String text) {
    return number("before", text, 1, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * @throws IllegalArgumentException if the text is no such number
   */
  public static long number(
      String name, @Nullable String text, long least, long greatest, long otherwise) {
    return text == null ? otherwise : WholeNumber.parse(name, text, least, greatest);
  }

  /**
   * @throws IllegalArgumentException if the text is neither true nor false
   */
  public static boolean flag(String name, @Nullable String text) {
    if (text == null || text.equals("true") || text.equals("false")) {
      return "true".equals(text);
    }
    throw new IllegalArgumentException(
        "The " + name + " " + Quoted.of(text) + " must be true or false. Maybe leave it out.");
  }

  /** Only the items whose value is the one asked for; all where none is. */
  public static <T> Stream<T> only(
      Stream<T> items, @Nullable String asked, Function<T, String> value) {
    return asked == null ? items : items.filter(item -> value.apply(item).equals(asked));
  }
}
