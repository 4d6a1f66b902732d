package org.paceline.json.problem;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.JsonDocument;
import org.paceline.json.document.Quantities;
import org.paceline.json.document.Reading;
import org.paceline.json.utility.UtilityFunctionJson;

/**
 * Reads an allocation problem, members in any order, or finds every fault that it has.
 *
 * <p>It reads token by token and checks as it goes, so that a gigabyte of rubbish is refused at the
 * first token that cannot be, and memory is bounded by what a valid problem of that size needs.
 */
public final class ProblemReader {
  /** In reference instances; read by their checker. */
  private static final Set<String> REMARKS = Set.of("expected", "proof", "description");

  private static final BigDecimal GREATEST_EPSILON = BigDecimal.valueOf(4);
  private static final int MAX_NODES = 1_000_000;
  private static final int MAX_FUNCTIONS = 100_000;
  private static final String DEFAULT_NAME = "problem";

  private final JsonCursor json;
  private final Set<String> found = new HashSet<>();
  private final Set<String> nodes = new HashSet<>();
  private final List<String> nodesInOrder = new ArrayList<>();
  private final Map<String, UtilityFunction> functions = new LinkedHashMap<>();
  private final Set<String> functionNames = new HashSet<>();
  private final LinksJson links;
  private final ApplicationsJson applications;
  private final UtilityFunctionJson tables;
  private String name = DEFAULT_NAME;
  private long epsilon = Problem.PAPER_EPSILON;
  private Sharing sharing = Sharing.FREE;

  private ProblemReader(JsonCursor json) {
    this.json = json;
    this.links = new LinksJson(json);
    this.applications = new ApplicationsJson(json);
    this.tables = new UtilityFunctionJson(json);
  }

  /**
   * @throws IOException if the source cannot be read; what is wrong with its content is in the
   *     reading
   */
  public static Reading<Problem> read(InputStream source) throws IOException {
    return read(source, DocumentLimits.FILE);
  }

  /** The same, with no more than it may hold. */
  public static Reading<Problem> read(InputStream source, DocumentLimits limits)
      throws IOException {
    return JsonDocument.read(source, limits, json -> new ProblemReader(json).document());
  }

  public static Reading<Problem> read(Path file) throws IOException {
    try (InputStream source = Files.newInputStream(file)) {
      return read(source);
    }
  }

  private Optional<Problem> document() throws IOException {
    if (!json.object(this::member)) {
      return Optional.empty();
    }
    for (String needed : List.of("nodes", "links", "utilityFunctions", "applications")) {
      if (!found.contains(needed)) {
        json.fault("needs the member " + Quoted.of(needed) + ".");
      }
    }
    List<Link> allLinks = links.between(nodes, found.contains("nodes"));
    List<Application> all =
        applications.using(
            functions,
            functionNames,
            found.contains("utilityFunctions"),
            nodes,
            found.contains("nodes"));
    if (found.contains("applications") && applications.isEmpty()) {
      json.faultAt("/applications", "is empty. Maybe give the problem at least one application.");
    }
    return json.faultless()
        ? Optional.of(Problem.of(name, Network.of(nodesInOrder, allLinks), all, epsilon, sharing))
        : Optional.empty();
  }

  private boolean member(String member) throws IOException {
    found.add(member);
    switch (member) {
      case "name":
        json.name().ifPresent(text -> name = text);
        return true;
      case "epsilon":
        json.number(BigDecimal.ZERO, GREATEST_EPSILON, "lie from 0 to 4")
            .ifPresent(value -> epsilon = Quantities.billionths(value));
        return true;
      case "sameUtilityPerType":
        json.flag()
            .ifPresent(same -> sharing = same ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE);
        return true;
      case "nodes":
        json.array(MAX_NODES, "Maybe leave out what carries no traffic.", index -> node());
        return true;
      case "links":
        links.read();
        return true;
      case "utilityFunctions":
        json.object(this::function);
        return true;
      case "applications":
        applications.read();
        return true;
      default:
        if (REMARKS.contains(member)) {
          json.skip();
          return true;
        }
        return false;
    }
  }

  private void node() throws IOException {
    Optional<String> node = json.name();
    if (node.isPresent() && nodes.add(node.get())) {
      nodesInOrder.add(node.get());
    } else if (node.isPresent()) {
      json.fault("repeats the node " + Quoted.of(node.get()) + ".");
    }
  }

  private boolean function(String name) throws IOException {
    if (functionNames.size() >= MAX_FUNCTIONS) {
      json.fault("is the utility function after the " + MAX_FUNCTIONS + "th: too many.");
      throw new JsonCursor.Abandoned();
    }
    functionNames.add(name);
    Optional<UtilityFunction> function = tables.read(name);
    function.ifPresent(table -> functions.put(name, table));
    return true;
  }
}
