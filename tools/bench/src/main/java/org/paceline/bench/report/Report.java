package org.paceline.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run found: tables and plots for people, and the same as JSON for machines. */
public final class Report {
  private final String title;
  private final List<String> remarks = new ArrayList<>();
  private final List<Section> sections = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final Map<String, String> plots = new LinkedHashMap<>();

  public Report(String title) {
    this.title = title;
  }

  /** A table; rows have as many cells as there are columns. */
  public static final class Section {
    private final String name;
    private final String explanation;
    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();

    Section(String name, String explanation, List<String> columns) {
      this.name = name;
      this.explanation = explanation;
      this.columns = columns;
    }

    /** Adds a row and says it, so that a long run can be watched. */
    public void row(String... cells) {
      if (cells.length != columns.size()) {
        throw new IllegalArgumentException(
            "A row of " + name + " needs " + columns.size() + " cells, not " + cells.length + ".");
      }
      rows.add(List.of(cells));
      System.err.println("paceline bench: " + name + ": " + String.join(" | ", cells));
    }
  }

  /** What was asked for beside what was measured. */
  private record Claim(
      String name, double target, double measured, String unit, boolean holds, int repeats) {}

  /** Says whether what the run set out to show holds. */
  public void claim(
      String name, double target, double measured, String unit, boolean holds, int repeats) {
    claims.add(new Claim(name, target, measured, unit, holds, repeats));
  }

  public void remark(String sentence) {
    remarks.add(sentence);
  }

  public Section section(String name, String explanation, String... columns) {
    Section section = new Section(name, explanation, List.of(columns));
    sections.add(section);
    return section;
  }

  public void plot(String file, LineChart chart) {
    plots.put(file, chart.svg());
  }

  /** The tables as markdown. */
  public String markdown() {
    StringBuilder text = new StringBuilder("# " + title + "\n\n");
    remarks.forEach(remark -> text.append(remark).append('\n'));
    for (Section section : sections) {
      text.append("\n## ").append(section.name).append("\n").append(section.explanation);
      text.append("\n\n");
      line(text, section.columns);
      line(text, section.columns.stream().map(c -> "---").toList());
      section.rows.forEach(row -> line(text, row));
    }
    if (!plots.isEmpty()) {
      text.append('\n');
      plots.keySet().forEach(file -> text.append("![").append(file).append("](" + file + ")\n"));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Writes all of it, shows the tables, and says where it is. */
  public void publish(Path folder) throws IOException {
    write(folder);
    System.out.println(markdown());
    System.err.println("paceline bench: written to " + folder.toAbsolutePath());
  }

  /** Writes table.md, result.json and the plots. */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("table.md"), markdown());
    for (Map.Entry<String, String> plot : plots.entrySet()) {
      Files.write(folder.resolve(plot.getKey()), plot.getValue().getBytes(StandardCharsets.UTF_8));
    }
    try (OutputStream out = Files.newOutputStream(folder.resolve("result.json"));
        JsonGenerator json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeStringField("title", title);
      json.writeArrayFieldStart("remarks");
      for (String remark : remarks) {
        json.writeString(remark);
      }
      json.writeEndArray();
      for (Section section : sections) {
        json.writeArrayFieldStart(section.name);
        for (List<String> row : section.rows) {
          json.writeStartObject();
          for (int c = 0; c < row.size(); c++) {
            json.writeStringField(section.columns.get(c), row.get(c));
          }
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeArrayFieldStart("claims");
      for (Claim claim : claims) {
        write(json, claim);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, Claim claim) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", claim.name());
    json.writeNullField("reference");
    json.writeNumberField("target", claim.target());
    json.writeNumberField("measured", claim.measured());
    json.writeStringField("unit", claim.unit());
    json.writeBooleanField("holds", claim.holds());
    json.writeNumberField("repeats", claim.repeats());
    json.writeNullField("interval");
    if (!claim.holds()) {
      json.writeStringField("why", "The remarks name the problems.");
    }
    json.writeEndObject();
  }
}
