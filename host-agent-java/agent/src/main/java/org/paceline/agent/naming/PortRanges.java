package org.paceline.agent.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A set of ports, written {@code 80, 8080-8082}. */
public record PortRanges(List<Range> ranges) {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:\\s*-\\s*(\\d{1,5}))?");
  private static final int HIGHEST = 65_535;

  public PortRanges {
    ranges = List.copyOf(ranges);
  }

  /** Both ends belong to it. */
  public record Range(int first, int last) {
    @Override
    public String toString() {
      return first == last ? Integer.toString(first) : first + "-" + last;
    }
  }

  public static PortRanges parse(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher matcher = RANGE.matcher(part.trim());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "The ports ("
                + text
                + ") are no list of ports and ranges. Maybe you meant something like 80,"
                + " 8080-8082.");
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first < 1 || last > HIGHEST || first > last) {
        throw new IllegalArgumentException(
            "The ports ("
                + part.trim()
                + ") must rise from 1 to at most 65535. Maybe the two ends are swapped.");
      }
      ranges.add(new Range(first, last));
    }
    return new PortRanges(ranges);
  }

  public boolean contains(int port) {
    return ranges.stream().anyMatch(range -> range.first() <= port && port <= range.last());
  }

  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(", "));
  }
}
