package org.paceline.bench.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * That the mean of some measurements of the same is at most the target, as {@code tools/paceline
 * claims} reads it.
 */
record Claim(String name, double target, List<Double> measured, String unit, String why) {
  // Student's t for 95 %, by degrees of freedom.
  private static final double[] QUANTILES = {12.706, 4.303, 3.182, 2.776};
  static final int REPEATS = QUANTILES.length + 1;

  Claim {
    if (measured.size() < 2 || measured.size() > REPEATS) {
      throw new IllegalArgumentException(
          measured.size() + " repeats of " + name + ". Maybe 2 to " + REPEATS + ".");
    }
    measured = List.copyOf(measured);
  }

  double mean() {
    return measured.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Of the interval in which the mean is with 95 % confidence. */
  private double half() {
    double mean = mean();
    double squares = measured.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
    int free = measured.size() - 1;
    return QUANTILES[free - 1] * Math.sqrt(squares / free / measured.size());
  }

  static void write(List<Claim> claims, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeArrayFieldStart("claims");
      for (Claim claim : claims) {
        claim.write(json);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private void write(JsonGenerator json) throws IOException {
    boolean holds = mean() <= target;
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeNullField("reference");
    json.writeNumberField("target", target);
    json.writeNumberField("measured", rounded(mean()));
    json.writeStringField("unit", unit);
    json.writeBooleanField("holds", holds);
    json.writeNumberField("repeats", measured.size());
    json.writeArrayFieldStart("interval");
    json.writeNumber(rounded(mean() - half()));
    json.writeNumber(rounded(mean() + half()));
    json.writeEndArray();
    if (!holds) {
      json.writeStringField("why", why);
    }
    json.writeEndObject();
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
