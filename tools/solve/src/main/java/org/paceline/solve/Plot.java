package org.paceline.solve;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Solution;

/**
 * Draws a solution as one SVG image: a bar an application, grouped by utility function, its utility
 * above and its rate below.
 */
final class Plot {
  private static final int WIDTH = 900;
  private static final int LEFT = 70;
  private static final int INNER = WIDTH - LEFT - 20;
  private static final int PANEL = 190;
  private static final int TOP = 74;
  private static final int BETWEEN = 46;

  /** Told apart by people who see red and green alike (Okabe and Ito). */
  private static final String[] COLOURS = {
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999", "#F0E442"
  };

  private final Problem problem;
  private final Solution solution;
  private final StringBuilder svg = new StringBuilder();
  private final Map<String, String> functionOf = new HashMap<>();
  private final Map<String, String> colourOf = new TreeMap<>();
  private final List<Grant> grants;
  private final long total;

  Plot(Problem problem, Solution solution) {
    this.problem = problem;
    this.solution = solution;
    for (Application application : problem.applications()) {
      functionOf.put(application.id(), application.utilityFunction().name());
    }
    functionOf.values().stream()
        .distinct()
        .sorted()
        .forEach(name -> colourOf.put(name, COLOURS[colourOf.size() % COLOURS.length]));
    this.grants = new ArrayList<>(solution.grants());
    this.grants.sort(
        Comparator.comparing(this::functionOf)
            .thenComparing(Grant::utility, Comparator.reverseOrder())
            .thenComparing(Grant::applicationId));
    this.total = grants.stream().mapToLong(Grant::count).sum();
  }

  private String functionOf(Grant grant) {
    return functionOf.getOrDefault(grant.applicationId(), "");
  }

  void write(OutputStream out) throws IOException {
    int utilityBase = TOP + PANEL;
    int rateBase = utilityBase + BETWEEN + PANEL;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">\n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        WIDTH, rateBase + 30);
    text(
        LEFT,
        22,
        "start",
        String.format(
            Locale.ROOT,
            "%s: %d applications, theta1 %s, least utility %s, sum %.3f",
            problem.name(),
            total,
            solution.theta1(),
            solution.minimumUtility(),
            solution.sumBillionths() / 1e9));
    legend();
    double mostRate = grants.stream().mapToDouble(Plot::megabits).max().orElse(1);
    axis(utilityBase, 1, 5, 1, "utility");
    axis(rateBase, 0, nice(mostRate), nice(mostRate) / 4, "Mbit/s");
    bars(utilityBase, 1, 5, grant -> grant.utility().billionths() / 1e9);
    bars(rateBase, 0, nice(mostRate), Plot::megabits);
    double theta = solution.theta1().billionths() / 1e9;
    double floor = Math.max(1, theta - problem.epsilonBillionths() / 1e9);
    level(utilityBase, theta, "theta1", "");
    level(utilityBase, floor, "", "stroke-dasharray=\"4 3\"");
    text(LEFT, rateBase + 20, "start", "applications, by utility function and utility");
    add("</svg>\n");
    out.write(svg.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static double megabits(Grant grant) {
    return grant.rate().millibitsPerSecond() / 1e9;
  }

  /** The least of 1, 2 and 5 times a power of ten that is no smaller. */
  private static double nice(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-6))));
    for (double step : new double[] {1, 2, 5}) {
      if (step * power >= value) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private void legend() {
    int x = LEFT;
    int y = 42;
    for (Map.Entry<String, String> entry : colourOf.entrySet()) {
      int needed = 30 + 7 * Math.min(entry.getKey().length(), 40);
      if (x + needed > WIDTH) {
        text(x, y, "start", "...");
        return;
      }
      add(
          "<rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\" fill=\"%s\"/>\n",
          x, y - 10, entry.getValue());
      text(x + 16, y, "start", entry.getKey());
      x += needed;
    }
  }

  private void axis(int base, double least, double most, double step, String unit) {
    for (double value = least; value <= most + step / 2; value += step) {
      double y = base - PANEL * (value - least) / (most - least);
      add(
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
          LEFT, LEFT + INNER, y, y);
      text(
          LEFT - 6,
          (int) y + 4,
          "end",
          String.format(Locale.ROOT, "%.4g", value).replaceAll("\\.?0+$", ""));
    }
    text(LEFT - 6, base - PANEL - 12, "end", unit);
  }

  /**
   * A bar's width is its count; where bars are thinner than a pixel, only every pixel's tallest.
   */
  private void bars(int base, double least, double most, ToDoubleFunction<Grant> value) {
    long before = 0;
    double drawnTo = -1;
    for (Grant grant : grants) {
      double from = (double) INNER * before / total;
      before += grant.count();
      double to = (double) INNER * before / total;
      if (to - drawnTo < 0.5) {
        continue;
      }
      drawnTo = to;
      double height = Math.max(1, PANEL * (value.applyAsDouble(grant) - least) / (most - least));
      double gap = to - from > 4 ? 1 : 0;
      add(
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\">"
              + "<title>%s</title></rect>\n",
          LEFT + from,
          base - height,
          Math.max(0.5, to - from - gap),
          height,
          colourOf.getOrDefault(functionOf(grant), "black"),
          escaped(
              String.format(
                  "%s (%s)%s: %s, utility %s",
                  grant.applicationId(),
                  functionOf(grant),
                  grant.count() > 1 ? " x " + grant.count() : "",
                  grant.rate(),
                  grant.utility())));
    }
  }

  private void level(int base, double utility, String name, String dashes) {
    double y = base - PANEL * (utility - 1) / 4;
    add(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\" stroke=\"black\" %s/>\n",
        LEFT, LEFT + INNER, y, y, dashes);
    text(LEFT + INNER, (int) y - 4, "end", name);
  }

  private void text(int x, int y, String anchor, String words) {
    add("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped(words));
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    for (char c : text.toCharArray()) {
      switch (c) {
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '&' -> safe.append("&amp;");
        case '"' -> safe.append("&quot;");
        default -> safe.append(Character.isISOControl(c) ? '?' : c);
      }
    }
    return safe.toString();
  }
}
