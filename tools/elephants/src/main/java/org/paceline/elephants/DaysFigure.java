package org.paceline.elephants;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.paceline.allocator.elephant.DayEffectiveness;
import org.paceline.allocator.elephant.Effectiveness;
import org.paceline.allocator.elephant.PrefixLengths;

/** What part of each day's alpha bytes the list of that day matched, as a plot in SVG. */
final class DaysFigure {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 340;
  private static final int LEFT = 56;
  private static final int RIGHT = 16;
  private static final int TOP = 36;
  private static final int FOOT = 270;
  private static final int LEGEND = 320;
  private static final int LEGEND_WIDTH = 290;

  /** Of labels along the days: more would touch each other. */
  private static final int MOST_LABELS = 10;

  /** Told apart by people who see red and green alike (Okabe and Ito). */
  private static final String[] COLOURS = {"#0072B2", "#E69F00", "#009E73"};

  private final Map<PrefixLengths, Effectiveness> effectiveness;
  private final LocalDate first;
  private final long days;
  private final StringBuilder svg = new StringBuilder();

  private DaysFigure(Map<PrefixLengths, Effectiveness> effectiveness, LocalDate first, long days) {
    this.effectiveness = effectiveness;
    this.first = first;
    this.days = days;
  }

  /**
   * @throws Refusal if there was no alpha flow, and so no day
   */
  static String of(Analysis.Result result) throws Refusal {
    if (result.flows().isEmpty()) {
      throw new Refusal("no flow was an alpha flow, so there is no day to draw. Maybe --bytes 1M.");
    }
    List<DayEffectiveness> days = result.chosen().days();
    LocalDate first = days.get(0).day();
    long span = ChronoUnit.DAYS.between(first, days.get(days.size() - 1).day());
    return new DaysFigure(result.effectiveness(), first, span).drawn();
  }

  private String drawn() {
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH, HEIGHT);
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
    text(LEFT, 20, "start", "Alpha bytes that the list of the day matched, in %");
    axes();
    int number = 0;
    for (Map.Entry<PrefixLengths, Effectiveness> one : effectiveness.entrySet()) {
      curve(one.getValue(), number);
      legend(one.getKey(), one.getValue(), number);
      number++;
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes() {
    for (int percent = 0; percent <= 100; percent += 20) {
      double y = y(percent / 100.0);
      line("<path d=\"M%d,%.1fH%d\" stroke=\"#e6e6e6\" fill=\"none\"/>", LEFT, y, WIDTH - RIGHT);
      text(LEFT - 6, y + 4, "end", Integer.toString(percent));
    }
    long step = days / MOST_LABELS + 1;
    for (long day = 0; day <= days; day += step) {
      text(x(day), FOOT + 18, "middle", first.plusDays(day).toString().substring(5));
    }
    text((LEFT + WIDTH - RIGHT) / 2.0, FOOT + 34, "middle", "day, from " + first);
  }

  private void curve(Effectiveness effectiveness, int number) {
    StringBuilder points = new StringBuilder();
    for (DayEffectiveness day : effectiveness.days()) {
      double x = x(ChronoUnit.DAYS.between(first, day.day()));
      double y = y(day.share());
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      line(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s</title></circle>",
          x, y, COLOURS[number], day.day(), TextReport.percent(day.share()));
    }
    line(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>",
        points.toString().strip(), COLOURS[number]);
  }

  private void legend(PrefixLengths lengths, Effectiveness effectiveness, int number) {
    int at = LEFT + number % 2 * LEGEND_WIDTH;
    int y = LEGEND + number / 2 * 16;
    line(
        "<rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\" fill=\"%s\"/>",
        at, y - 10, COLOURS[number]);
    String all = TextReport.percent(effectiveness.share().orElse(0));
    text(at + 16, y, "start", lengths + ", " + all + " over all days");
  }

  private double x(long day) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (days == 0 ? 0.5 : (double) day / days);
  }

  private static double y(double share) {
    return FOOT - share * (FOOT - TOP);
  }

  private void text(double x, double y, String anchor, String words) {
    line("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, words);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
