package org.paceline.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of a Markdown page. */
final class MarkdownTable {
  private final List<String> lines = new ArrayList<>();

  MarkdownTable(String... heads) {
    row(heads);
    lines.add("|" + "---|".repeat(heads.length));
  }

  MarkdownTable row(String... cells) {
    lines.add(
        Stream.of(cells)
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | ", "| ", " |")));
    return this;
  }

  boolean isEmpty() {
    return lines.size() == 2;
  }

  /** With the empty line that ends it. */
  @Override
  public String toString() {
    return String.join("\n", lines) + "\n\n";
  }

  /** Nothing for nothing. */
  static String code(String text) {
    return text.isEmpty() ? "" : "`" + text + "`";
  }
}
