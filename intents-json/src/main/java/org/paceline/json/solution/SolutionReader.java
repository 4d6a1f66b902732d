package org.paceline.json.solution;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.BoxTree;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.json.document.Fields;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.JsonDocument;
import org.paceline.json.document.Quantities;
import org.paceline.json.document.Reading;

/**
 * Reads what {@link SolutionWriter} writes. Whether it solves a problem is the checkers' affair.
 */
public final class SolutionReader {
  private static final int MAX_GRANTS = 4_000_000;
  private static final int MAX_PATH = 100_000;
  private static final String NO_SOLUTION = "Maybe it is no solution.";
  private static final BigDecimal GREATEST_SUM = BigDecimal.valueOf(5_000_000_000L);

  private final JsonCursor json;
  private Optional<Utility> theta1 = Optional.empty();
  private Optional<Utility> thetaBound = Optional.empty();
  private Optional<Long> sumBound = Optional.empty();
  private Optional<Certificate.Proof> proof = Optional.empty();
  private Optional<Utility> refutedLevel = Optional.empty();
  private final Map<LinkId, Double> prices = new HashMap<>();
  private final Map<LinkId, Double> refutingPrices = new HashMap<>();
  private final List<LevelBound> levels = new ArrayList<>();
  private Optional<BoxTree> refutingBoxes = Optional.empty();
  private final List<BoxTree> sumBoxes = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();

  private SolutionReader(JsonCursor json) {
    this.json = json;
  }

  /**
   * @throws IOException if the source cannot be read; what is wrong with its content is in the
   *     reading
   */
  public static Reading<Solution> read(InputStream source) throws IOException {
    return JsonDocument.read(
        source, DocumentLimits.FILE, json -> new SolutionReader(json).document());
  }

  private Optional<Solution> document() throws IOException {
    if (!json.object(this::member)) {
      return Optional.empty();
    }
    if (json.faultless()
        && (theta1.isEmpty()
            || thetaBound.isEmpty()
            || sumBound.isEmpty()
            || proof.isEmpty()
            || grants.isEmpty())) {
      json.fault(
          "needs theta1, upperBound with theta1 and sumUtility, certificate with proof, and at"
              + " least one of applications.");
    }
    return json.faultless()
        ? Optional.of(
            Solution.of(
                theta1.orElseThrow(),
                grants,
                Certificate.of(
                        thetaBound.orElseThrow(),
                        sumBound.orElseThrow(),
                        proof.orElseThrow(),
                        prices,
                        refutedLevel,
                        refutingPrices)
                    .withLevels(levels)
                    .withBoxes(refutingBoxes, sumBoxes)))
        : Optional.empty();
  }

  private boolean member(String member) throws IOException {
    switch (member) {
      case "theta1":
        theta1 = Quantities.utility(json);
        return true;
      case "minUtility":
      case "sumUtility":
      case "elapsedMs":
      case "notAdmitted":
        // What follows from the grants, or does not matter.
        json.skip();
        return true;
      case "upperBound":
        json.object(this::bound);
        return true;
      case "certificate":
        json.object(this::certificate);
        return true;
      case "applications":
        readGrants();
        return true;
      default:
        return false;
    }
  }

  private boolean bound(String member) throws IOException {
    switch (member) {
      case "theta1":
        thetaBound = Quantities.utility(json);
        return true;
      case "sumUtility":
        sumBound =
            json.number(BigDecimal.ZERO, GREATEST_SUM, "lie from 0 to " + GREATEST_SUM)
                .map(Quantities::billionths);
        return true;
      default:
        return false;
    }
  }

  private boolean certificate(String member) throws IOException {
    switch (member) {
      case "proof":
        proof = CertificateJson.proof(json);
        return true;
      case "refutedLevel":
        refutedLevel = Quantities.utility(json);
        return true;
      case "prices":
        CertificateJson.prices(json).ifPresent(prices::putAll);
        return true;
      case "refutingPrices":
        CertificateJson.prices(json).ifPresent(refutingPrices::putAll);
        return true;
      case "levels":
        CertificateJson.levels(json, levels);
        return true;
      case "refutingBoxes":
        refutingBoxes = BoxesJson.tree(json);
        return true;
      case "sumBoxes":
        BoxesJson.trees(json).ifPresent(sumBoxes::addAll);
        return true;
      default:
        return false;
    }
  }

  private void readGrants() throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<String> id = fields.needed("id", JsonCursor::name);
    Fields.Field<Integer> count = fields.or(1, "count", Quantities::count);
    Fields.Field<DataRate> rate = fields.needed("rateKbps", Quantities::rate);
    Fields.Field<Latency> delay = fields.needed("delayMs", Quantities::delay);
    Fields.Field<Utility> utility = fields.needed("utility", Quantities::utility);
    Fields.Field<List<String>> path =
        fields.needed(
            "path", cursor -> Quantities.list(cursor, MAX_PATH, NO_SOLUTION, JsonCursor::name));
    json.array(
        MAX_GRANTS,
        NO_SOLUTION,
        index -> {
          if (!fields.read()) {
            return;
          }
          if (Fields.have(path) && !isLoopFree(path.get())) {
            json.fault(
                "has the path "
                    + Quoted.of(String.join(", ", path.get()))
                    + ", which must visit at least two nodes, and none twice.");
          } else if (Fields.have(id, count, rate, delay, utility, path)) {
            grants.add(
                Grant.of(
                    id.get(),
                    count.get(),
                    rate.get(),
                    delay.get(),
                    utility.get(),
                    Path.of(path.get())));
          }
        });
  }

  private static boolean isLoopFree(List<String> nodes) {
    return nodes.size() >= 2 && new HashSet<>(nodes).size() == nodes.size();
  }
}
