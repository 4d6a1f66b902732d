package org.paceline.agent.pace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code tc -s class show} prints of HTB classes. */
final class ClassDump {
  private static final Pattern CLASS =
      Pattern.compile("class htb ([0-9a-f]+):([0-9a-f]+) .*?\\brate (\\w+) .*");
  private static final Pattern SENT =
      Pattern.compile("\\s*Sent (\\d+) bytes (\\d+) pkt \\(dropped (\\d+),.*");
  private static final Pattern BACKLOG = Pattern.compile("\\s*backlog (\\d+)([KMG]?)b .*");

  private ClassDump() {}

  /** The classes of the qdisc with this handle, by their minor number. */
  static Map<Integer, ClassStatistics> parse(List<String> lines, int major) {
    Map<Integer, ClassStatistics> classes = new LinkedHashMap<>();
    int minor = 0;
    for (String line : lines) {
      // Hundreds of classes are read for every batch of rates: each line meets one pattern only.
      if (line.startsWith("class ")) {
        Matcher head = CLASS.matcher(line);
        boolean ours = head.matches() && Integer.parseInt(head.group(1), 16) == major;
        minor = ours ? number(head.group(2)) : 0;
        if (minor != 0) {
          long rate = TcRate.parse(head.group(3));
          classes.put(minor, new ClassStatistics(minor, rate, 0, 0, 0, 0));
        }
      } else if (minor != 0 && line.startsWith(" Sent ")) {
        Matcher sent = SENT.matcher(line);
        if (sent.matches()) {
          classes.computeIfPresent(minor, (id, c) -> counted(c, sent));
        }
      } else if (minor != 0 && line.startsWith(" backlog ")) {
        Matcher backlog = BACKLOG.matcher(line);
        if (backlog.matches()) {
          classes.computeIfPresent(minor, (id, c) -> queued(c, bytes(backlog)));
        }
      }
    }
    return classes;
  }

  private static ClassStatistics counted(ClassStatistics c, Matcher sent) {
    return new ClassStatistics(
        c.minor(),
        c.rateBitsPerSecond(),
        Long.parseLong(sent.group(1)),
        Long.parseLong(sent.group(2)),
        Long.parseLong(sent.group(3)),
        c.backlogBytes());
  }

  private static ClassStatistics queued(ClassStatistics c, long bytes) {
    return new ClassStatistics(
        c.minor(),
        c.rateBitsPerSecond(),
        c.sentBytes(),
        c.sentPackets(),
        c.droppedPackets(),
        bytes);
  }

  private static int number(String hex) {
    return Integer.parseInt(hex, 16);
  }

  /** tc prints sizes in powers of 1024. */
  private static long bytes(Matcher matcher) {
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "K" -> number << 10;
      case "M" -> number << 20;
      case "G" -> number << 30;
      default -> number;
    };
  }
}
