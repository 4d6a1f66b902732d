package org.paceline.json;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Solution;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * Reads what {@link SolutionWriter} writes. Whether it solves a problem is the checkers' affair.
 */
public final class SolutionReader {
  private static final int MAX_GRANTS = 4_000_000;
  private static final int MAX_PATH = 100_000;
  private static final String NO_SOLUTION = "Maybe it is no solution.";
  private static final BigDecimal GREATEST_SUM = BigDecimal.valueOf(5_000_000_000L);
  private static final BigDecimal GREATEST_PRICE = BigDecimal.valueOf(Double.MAX_VALUE);

  private final JsonCursor json;
  private Optional<Utility> theta1 = Optional.empty();
  private Optional<Utility> thetaBound = Optional.empty();
  private Optional<Long> sumBound = Optional.empty();
  private Optional<Certificate.Proof> proof = Optional.empty();
  private Optional<Utility> refutedLevel = Optional.empty();
  private final Map<LinkId, Double> prices = new HashMap<>();
  private final Map<LinkId, Double> refutingPrices = new HashMap<>();
  private final List<Grant> grants = new ArrayList<>();

  private SolutionReader(JsonCursor json) {
    this.json = json;
  }

  /**
   * @throws IOException if the source cannot be read; what is wrong with its content is in the
   *     reading
   */
  public static Reading<Solution> read(InputStream source) throws IOException {
    return JsonDocument.read(source, json -> new SolutionReader(json).document());
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
                    refutingPrices)))
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
        json.array(MAX_GRANTS, NO_SOLUTION, index -> new GrantFields().read());
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
        proof = json.text().flatMap(SolutionReader::proof);
        if (proof.isEmpty()) {
          json.fault("must be one of " + Arrays.toString(Certificate.Proof.values()) + ".");
        }
        return true;
      case "refutedLevel":
        refutedLevel = Quantities.utility(json);
        return true;
      case "prices":
        json.array(MAX_GRANTS, NO_SOLUTION, index -> new PriceFields().read(prices));
        return true;
      case "refutingPrices":
        json.array(MAX_GRANTS, NO_SOLUTION, index -> new PriceFields().read(refutingPrices));
        return true;
      default:
        return false;
    }
  }

  private static Optional<Certificate.Proof> proof(String name) {
    return Arrays.stream(Certificate.Proof.values()).filter(p -> p.name().equals(name)).findAny();
  }

  private final class PriceFields {
    private final Members found = new Members();
    private Optional<String> from = Optional.empty();
    private Optional<String> to = Optional.empty();
    private Optional<Double> price = Optional.empty();

    void read(Map<LinkId, Double> into) throws IOException {
      if (!json.object(this::member)) {
        return;
      }
      found.require(json, json.place(), "from", "to", "price");
      if (from.isPresent() && to.isPresent() && price.isPresent()) {
        into.put(LinkId.of(from.get(), to.get()), price.get());
      }
    }

    private boolean member(String member) throws IOException {
      found.add(member);
      switch (member) {
        case "from":
          from = json.name();
          return true;
        case "to":
          to = json.name();
          return true;
        case "price":
          price =
              json.number(BigDecimal.ZERO, GREATEST_PRICE, "be a price from 0")
                  .map(BigDecimal::doubleValue);
          return true;
        default:
          return false;
      }
    }
  }

  private final class GrantFields {
    private final Members found = new Members();
    private Optional<String> id = Optional.empty();
    private Optional<Integer> count = Optional.of(1);
    private Optional<DataRate> rate = Optional.empty();
    private Optional<Latency> delay = Optional.empty();
    private Optional<Utility> utility = Optional.empty();
    private Optional<List<String>> path = Optional.empty();

    void read() throws IOException {
      if (!json.object(this::member)) {
        return;
      }
      found.require(json, json.place(), "id", "rateKbps", "delayMs", "utility", "path");
      if (path.isPresent() && !isLoopFree(path.get())) {
        json.fault(
            "has the path "
                + Quoted.of(path.get().stream().collect(Collectors.joining(", ")))
                + ", which must visit at least two nodes, and none twice.");
        return;
      }
      if (id.isPresent()
          && count.isPresent()
          && rate.isPresent()
          && delay.isPresent()
          && utility.isPresent()
          && path.isPresent()) {
        grants.add(
            Grant.of(
                id.get(),
                count.get(),
                rate.get(),
                delay.get(),
                utility.get(),
                Path.of(path.get())));
      }
    }

    private boolean isLoopFree(List<String> nodes) {
      Set<String> distinct = new HashSet<>(nodes);
      return nodes.size() >= 2 && distinct.size() == nodes.size();
    }

    private boolean member(String member) throws IOException {
      found.add(member);
      switch (member) {
        case "id":
          id = json.name();
          return true;
        case "count":
          count = json.wholeNumber(1, Integer.MAX_VALUE, "from 1 to " + Integer.MAX_VALUE);
          return true;
        case "rateKbps":
          rate = Quantities.rate(json);
          return true;
        case "delayMs":
          delay = Quantities.delay(json);
          return true;
        case "utility":
          utility = Quantities.utility(json);
          return true;
        case "path":
          path = Quantities.list(json, MAX_PATH, NO_SOLUTION, JsonCursor::name);
          return true;
        default:
          return false;
      }
    }
  }
}
