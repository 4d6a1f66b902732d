package org.paceline.json.solution;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.Utility;
import org.paceline.json.document.LineAnItem;
import org.paceline.json.utility.UtilityFunctionJson;

/** Writes a solution with its certificate, one grant a line. */
public final class SolutionWriter {
  private SolutionWriter() {}

  public static void write(Solution solution, OutputStream target) throws IOException {
    write(solution, Optional.empty(), List.of(), target);
  }

  /**
   * @param notAdmitted whom the solution leaves out
   */
  public static void write(
      Solution solution, SolveTimes times, List<NotAdmitted> notAdmitted, OutputStream target)
      throws IOException {
    write(solution, Optional.of(times), notAdmitted, target);
  }

  /** Writes UTF-8 and leaves the target open. */
  private static void write(
      Solution solution,
      Optional<SolveTimes> times,
      List<NotAdmitted> notAdmitted,
      OutputStream target)
      throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(target)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      number(json, "theta1", solution.theta1().value());
      number(json, "minUtility", solution.minimumUtility().value());
      number(json, "sumUtility", BigDecimal.valueOf(solution.sumBillionths(), 9));
      json.writeObjectFieldStart("upperBound");
      number(json, "theta1", solution.certificate().thetaBound().value());
      number(json, "sumUtility", BigDecimal.valueOf(solution.certificate().sumBound(), 9));
      json.writeEndObject();
      if (times.isPresent()) {
        json.writeObjectFieldStart("elapsedMs");
        number(json, "load", millis(times.get().load()));
        number(json, "solve", millis(times.get().solve()));
        json.writeEndObject();
      }
      certificate(json, solution.certificate());
      if (!notAdmitted.isEmpty()) {
        json.writeArrayFieldStart("notAdmitted");
        for (NotAdmitted out : notAdmitted) {
          json.writeStartObject();
          json.writeStringField("id", out.id());
          if (out.count() > 1) {
            json.writeNumberField("count", out.count());
          }
          json.writeStringField("why", out.why());
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeArrayFieldStart("applications");
      json.writeRaw('\n');
      json.setPrettyPrinter(new LineAnItem());
      for (Grant grant : solution.grants()) {
        grant(json, grant);
      }
      json.writeRaw('\n');
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void grant(JsonGenerator json, Grant grant) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", grant.applicationId());
    if (grant.count() > 1) {
      json.writeNumberField("count", grant.count());
    }
    number(json, "rateKbps", grant.rate().kilobitsPerSecond());
    number(json, "delayMs", grant.delay().millis());
    number(json, "utility", grant.utility().value());
    json.writeArrayFieldStart("path");
    for (String node : grant.path().nodes()) {
      json.writeString(node);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void certificate(JsonGenerator json, Certificate certificate) throws IOException {
    json.writeObjectFieldStart("certificate");
    json.writeStringField("proof", certificate.proof().name());
    prices(json, "prices", certificate.prices());
    if (certificate.refutedLevel().isPresent()) {
      number(json, "refutedLevel", certificate.refutedLevel().get().value());
    }
    prices(json, "refutingPrices", certificate.refutingPrices());
    if (!certificate.levels().isEmpty()) {
      json.writeArrayFieldStart("levels");
      for (LevelBound level : certificate.levels()) {
        level(json, level);
      }
      json.writeEndArray();
    }
    if (certificate.refutingBoxes().isPresent()) {
      json.writeFieldName("refutingBoxes");
      BoxesJson.write(json, certificate.refutingBoxes().get());
    }
    if (!certificate.sumBoxes().isEmpty()) {
      json.writeArrayFieldStart("sumBoxes");
      for (BoxTree tree : certificate.sumBoxes()) {
        BoxesJson.write(json, tree);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void level(JsonGenerator json, LevelBound level) throws IOException {
    json.writeStartObject();
    number(json, "utility", level.level().value());
    json.writeNumberField("fewest", level.fewest());
    json.writeStringField("proof", level.proof().name());
    prices(json, "prices", level.prices());
    json.writeArrayFieldStart("fines");
    for (Map.Entry<Utility, Double> fine : level.fines().entrySet()) {
      json.writeStartObject();
      number(json, "utility", fine.getKey().value());
      json.writeNumberField("fine", fine.getValue().doubleValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Prices keep every digit: rounded ones would prove another bound. */
  static void prices(JsonGenerator json, String member, Map<LinkId, Double> prices)
      throws IOException {
    json.writeArrayFieldStart(member);
    for (Map.Entry<LinkId, Double> price : prices.entrySet()) {
      json.writeStartObject();
      json.writeStringField("from", price.getKey().from());
      json.writeStringField("to", price.getKey().to());
      json.writeNumberField("price", price.getValue().doubleValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static BigDecimal millis(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos() / 1_000, 3);
  }

  static void number(JsonGenerator json, String member, BigDecimal value) throws IOException {
    json.writeFieldName(member);
    json.writeNumber(UtilityFunctionJson.plain(value));
  }
}
