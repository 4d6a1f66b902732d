package org.paceline.elephants;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.allocator.elephant.DayEffectiveness;
import org.paceline.allocator.elephant.Effectiveness;
import org.paceline.allocator.elephant.ListedPair;
import org.paceline.allocator.elephant.PrefixLengths;

/** The result as tables for people. */
final class TextReport {
  private static final int MOST_ROWS = 20;
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private final Analysis.Result result;
  private final StringBuilder text = new StringBuilder();

  private TextReport(Analysis.Result result) {
    this.result = result;
  }

  static String of(Analysis.Result result) {
    TextReport report = new TextReport(result);
    report.totals();
    if (!result.flows().isEmpty()) {
      report.days();
      report.list();
    }
    return report.text.toString();
  }

  private void totals() {
    long alpha = result.chosen().alphaBytes();
    line("%,d records of %s", result.records(), size(result.bytes()));
    line(
        "%,d alpha flows of %s (%s of all): more than %s within %s s",
        result.flows().size(),
        size(alpha),
        percent(result.bytes() == 0 ? 0 : (double) alpha / result.bytes()),
        size(result.question().alpha().bytes()),
        result.question().alpha().interval().toMillis() / 1e3);
  }

  /** For each length of prefixes: how many pairs were in force, what part they matched. */
  private void days() {
    Map<LocalDate, DayEffectiveness[]> days = new TreeMap<>();
    StringBuilder header = new StringBuilder();
    int column = 0;
    int columns = result.effectiveness().size();
    for (Map.Entry<PrefixLengths, Effectiveness> one : result.effectiveness().entrySet()) {
      header.append(String.format(Locale.ROOT, "  %20s", one.getKey()));
      for (DayEffectiveness day : one.getValue().days()) {
        days.computeIfAbsent(day.day(), any -> new DayEffectiveness[columns])[column] = day;
      }
      column++;
    }
    line("");
    line("%-12s %12s %12s%s", "day", "alpha flows", "alpha bytes", header);
    for (DayEffectiveness[] day : days.values()) {
      row(day[0].day().toString(), day[0].flows(), day[0].alphaBytes(), cells(day));
    }
    StringBuilder all = new StringBuilder();
    for (Effectiveness one : result.effectiveness().values()) {
      all.append(String.format(Locale.ROOT, "  %20s", percent(one.share().orElse(0))));
    }
    row("all", result.flows().size(), result.chosen().alphaBytes(), all.toString());
  }

  private static String cells(DayEffectiveness[] day) {
    StringBuilder cells = new StringBuilder();
    for (DayEffectiveness one : day) {
      cells.append(
          String.format(Locale.ROOT, "  %,6d pairs %7s", one.pairs(), percent(one.share())));
    }
    return cells.toString();
  }

  private void row(String day, int flows, long bytes, String cells) {
    line("%-12s %,12d %12s%s", day, flows, size(bytes), cells);
  }

  private void list() {
    List<ListedPair> list = result.chosen().list();
    line("");
    line(
        "The prefix list from the day after the last one on, %s:",
        result.question().list().lengths());
    line("%-40s %-40s %12s  %s", "source", "destination", "alpha bytes", "last seen");
    for (ListedPair one : list.subList(0, Math.min(MOST_ROWS, list.size()))) {
      line(
          "%-40s %-40s %12s  %s",
          one.pair().source(), one.pair().destination(), size(one.bytes()), one.lastSeen());
    }
    if (list.size() > MOST_ROWS) {
      line("and %,d more: --csv FILE or --json FILE has them all", list.size() - MOST_ROWS);
    }
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  static String size(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1_000;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.3g %s", value, UNITS[unit]);
  }
}
