package org.paceline.cli.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Rows under headings, with a conclusion; prints itself for a person or for a program. */
public final class Table {
  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();
  private final Map<Integer, Function<String, Tone>> tones = new HashMap<>();
  private String conclusion = "";
  private Tone conclusionTone = Tone.PLAIN;

  public Table(String... headings) {
    this.headings = Arrays.asList(headings);
  }

  /** What the cells under a heading mean, by their words. */
  public Table toned(String heading, Function<String, Tone> tone) {
    tones.put(headings.indexOf(heading), tone);
    return this;
  }

  public void row(String... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(
          "A row of " + cells.length + " cells does not fit " + headings.size() + " headings.");
    }
    rows.add(Arrays.asList(cells));
  }

  /** The last line for a person. */
  public void conclude(String sentence) {
    conclude(sentence, Tone.PLAIN);
  }

  public void conclude(String sentence, Tone tone) {
    conclusion = sentence;
    conclusionTone = tone;
  }

  /** One more sentence of the last line. */
  public void add(String sentence) {
    conclusion += sentence;
  }

  public String asText() {
    return asText(Screen.PLAIN);
  }

  public String asText(Screen screen) {
    int[] widths = headings.stream().mapToInt(String::length).toArray();
    for (List<String> row : rows) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, headings, widths, (c, heading) -> screen.show(Tone.HEADING, heading));
    rows.forEach(row -> line(text, row, widths, (c, cell) -> screen.show(tone(c, cell), cell)));
    return text.append(screen.show(conclusionTone, harmless(conclusion))).toString();
  }

  /** Hosts and users elsewhere chose some of these words: none of them steers a terminal. */
  private static String harmless(String text) {
    return text.codePoints().noneMatch(Table::steers)
        ? text
        : text.codePoints()
            .mapToObj(c -> steers(c) ? "?" : Character.toString(c))
            .collect(Collectors.joining());
  }

  private static boolean steers(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t';
  }

  private Tone tone(int column, String cell) {
    return tones.getOrDefault(column, any -> Tone.PLAIN).apply(cell);
  }

  private static void line(
      StringBuilder text,
      List<String> cells,
      int[] widths,
      BiFunction<Integer, String, String> shown) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      String cell = harmless(cells.get(c));
      line.append(shown.apply(c, cell)).append(" ".repeat(widths[c] - cell.length() + 2));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  /** A list of objects with the headings as names. */
  public String asJson() {
    List<String> objects = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> members = new ArrayList<>();
      for (int c = 0; c < headings.size(); c++) {
        members.add(quoted(headings.get(c)) + ":" + quoted(row.get(c)));
      }
      objects.add("{" + String.join(",", members) + "}");
    }
    return "[" + String.join(",", objects) + "]";
  }

  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (Character.isISOControl(c)) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
