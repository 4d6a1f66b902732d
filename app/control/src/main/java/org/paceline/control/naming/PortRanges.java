package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.paceline.intents.document.Quoted;

/** A set of ports, written {@code 80, 8080-8082}. */
@AutoValue
public abstract class PortRanges {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:\\s*-\\s*(\\d{1,5}))?");
  private static final int HIGHEST = 65_535;
  private static final int MOST = 64;

  /** Both ends belong to it. */
  @AutoValue
  abstract static class Range {
    abstract int first();

    abstract int last();

    static Range of(int first, int last) {
      return new AutoValue_PortRanges_Range(first, last);
    }

    @Override
    public final String toString() {
      return first() == last() ? Integer.toString(first()) : first() + "-" + last();
    }
  }

  abstract List<Range> ranges();

  /**
   * @throws IllegalArgumentException if it is no list of ports and ranges
   */
  public static PortRanges parse(String text) {
    List<Range> ranges = new ArrayList<>();
    String[] parts = text.split(",", -1);
    if (parts.length > MOST) {
      throw new IllegalArgumentException(
          "The ports "
              + Quoted.of(text)
              + " are "
              + parts.length
              + " ranges, where at most "
              + MOST
              + " are read. Maybe make it several rules.");
    }
    for (String part : parts) {
      Matcher matcher = RANGE.matcher(part.trim());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "The ports "
                + Quoted.of(text)
                + " are no list of ports and ranges. Maybe you meant something like 80,"
                + " 8080-8082.");
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first < 1 || last > HIGHEST || first > last) {
        throw new IllegalArgumentException(
            "The ports "
                + Quoted.of(part.trim())
                + " must rise from 1 to at most 65535. Maybe the two ends are swapped.");
      }
      ranges.add(Range.of(first, last));
    }
    return new AutoValue_PortRanges(List.copyOf(ranges));
  }

  public boolean contains(int port) {
    return ranges().stream().anyMatch(range -> range.first() <= port && port <= range.last());
  }

  /** Whether each range of the other lies within one of this. */
  boolean covers(PortRanges other) {
    return other.ranges().stream()
        .allMatch(
            one ->
                ranges().stream()
                    .anyMatch(range -> range.first() <= one.first() && one.last() <= range.last()));
  }

  /** The ports themselves where these are no more than so many; empty where they are more. */
  Optional<List<Integer>> single(int most) {
    boolean isFew =
        ranges().size() <= most
            && ranges().stream().allMatch(range -> range.first() == range.last());
    return isFew
        ? Optional.of(ranges().stream().map(Range::first).distinct().collect(Collectors.toList()))
        : Optional.empty();
  }

  @Override
  public final String toString() {
    return ranges().stream().map(Range::toString).collect(Collectors.joining(", "));
  }
}
