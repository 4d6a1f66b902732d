package org.paceline.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lines over two logarithmic axes, as SVG. */
public final class LineChart {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 80;
  private static final int RIGHT = 200;
  private static final int TOP = 40;
  private static final int BOTTOM = 50;

  /** Told apart by people who see red and green alike (Okabe and Ito). */
  private static final String[] COLOURS = {
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999", "#000000"
  };

  private final String title;
  private final String xName;
  private final String yName;
  private final Map<String, List<double[]>> lines = new LinkedHashMap<>();

  public LineChart(String title, String xName, String yName) {
    this.title = title;
    this.xName = xName;
    this.yName = yName;
  }

  /** Adds a point to a line; what is not above 0 has no place on a logarithmic axis. */
  public void add(String line, double x, double y) {
    if (x > 0 && y > 0) {
      lines.computeIfAbsent(line, name -> new ArrayList<>()).add(new double[] {x, y});
    }
  }

  String svg() {
    double[] xs = decades(0);
    double[] ys = decades(1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            WIDTH,
            HEIGHT));
    text(svg, WIDTH / 2, 20, "middle", title);
    text(svg, LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 12, "middle", xName);
    text(svg, LEFT, TOP - 8, "end", yName);
    for (double decade = xs[0]; decade <= xs[1]; decade++) {
      int x = (int) place(decade, xs, LEFT, WIDTH - RIGHT);
      rule(svg, x, x, TOP, HEIGHT - BOTTOM);
      text(svg, x, HEIGHT - BOTTOM + 18, "middle", power(decade));
    }
    for (double decade = ys[0]; decade <= ys[1]; decade++) {
      int y = (int) place(decade, ys, HEIGHT - BOTTOM, TOP);
      rule(svg, LEFT, WIDTH - RIGHT, y, y);
      text(svg, LEFT - 6, y + 4, "end", power(decade));
    }
    int index = 0;
    for (Map.Entry<String, List<double[]>> line : lines.entrySet()) {
      String colour = COLOURS[index % COLOURS.length];
      StringBuilder points = new StringBuilder();
      for (double[] point : line.getValue()) {
        double x = place(Math.log10(point[0]), xs, LEFT, WIDTH - RIGHT);
        double y = place(Math.log10(point[1]), ys, HEIGHT - BOTTOM, TOP);
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
        svg.append(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
                x,
                y,
                colour));
      }
      svg.append(
          String.format(
              "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n",
              points, colour));
      int y = TOP + 10 + 18 * index++;
      svg.append(
          String.format(
              "<rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\" fill=\"%s\"/>%n",
              WIDTH - RIGHT + 14, y - 10, colour));
      text(svg, WIDTH - RIGHT + 30, y, "start", line.getKey());
    }
    return svg.append("</svg>\n").toString();
  }

  /** The exponents of the powers of ten around all values of a coordinate. */
  private double[] decades(int coordinate) {
    double least = Double.MAX_VALUE;
    double most = -Double.MAX_VALUE;
    for (List<double[]> points : lines.values()) {
      for (double[] point : points) {
        least = Math.min(least, Math.floor(Math.log10(point[coordinate])));
        most = Math.max(most, Math.ceil(Math.log10(point[coordinate])));
      }
    }
    return least > most ? new double[] {0, 1} : new double[] {least, Math.max(most, least + 1)};
  }

  private static double place(double value, double[] range, double from, double to) {
    return from + (to - from) * (value - range[0]) / (range[1] - range[0]);
  }

  private static String power(double decade) {
    return decade >= 0 && decade <= 6
        ? String.format(Locale.ROOT, "%,.0f", Math.pow(10, decade))
        : "1e" + (int) decade;
  }

  private static void rule(StringBuilder svg, int x1, int x2, int y1, int y2) {
    svg.append(
        String.format(
            "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>%n", x1, x2, y1, y2));
  }

  private static void text(StringBuilder svg, int x, int y, String anchor, String words) {
    svg.append(
        String.format(
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n",
            x, y, anchor, words.replace("&", "&amp;").replace("<", "&lt;")));
  }
}
