package org.paceline.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows under headings, with a conclusion; prints itself for a person or for a program. */
final class Table {
  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();
  private String conclusion = "";

  Table(String... headings) {
    this.headings = Arrays.asList(headings);
  }

  void row(String... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(
          "A row of " + cells.length + " cells does not fit " + headings.size() + " headings.");
    }
    rows.add(Arrays.asList(cells));
  }

  /** The last line for a person. */
  void conclude(String sentence) {
    conclusion = sentence;
  }

  String asText() {
    int[] widths = headings.stream().mapToInt(String::length).toArray();
    for (List<String> row : rows) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], row.get(c).length());
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, headings, widths);
    rows.forEach(row -> line(text, row, widths));
    return text.append(conclusion).toString();
  }

  private static void line(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      line.append(cells.get(c)).append(" ".repeat(widths[c] - cells.get(c).length() + 2));
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  /** A list of objects with the headings as names. */
  String asJson() {
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

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
