package org.paceline.json.problem;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.problem.Application;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.document.Fields;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.Quantities;

/** A problem's applications. Their functions and nodes may stand before or after them. */
final class ApplicationsJson {
  private static final int MAX_ENTRIES = 2_000_000;
  private static final String JOIN = "Maybe join identical applications into one with a count.";

  /** A sum of as many utilities of 5, in billionths, is far inside a long. */
  private static final long MAX_COPIES = 1_000_000_000L;

  private static final BigInteger MAX_TOTAL_RATE = BigInteger.valueOf(Long.MAX_VALUE / 4);

  private final JsonCursor json;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Integer> known = new HashMap<>();
  private final Fields fields;
  private final Fields.Field<String> id;
  private final Fields.Field<String> from;
  private final Fields.Field<String> to;
  private final Fields.Field<String> function;
  private final Fields.Field<Integer> count;
  private final Fields.Field<Integer> priority;
  private long copies;
  private int seen;

  ApplicationsJson(JsonCursor json) {
    this.json = json;
    this.fields = new Fields(json).remark("description");
    this.id = fields.needed("id", JsonCursor::name);
    this.from = fields.needed("from", JsonCursor::name);
    this.to = fields.needed("to", JsonCursor::name);
    this.function = fields.needed("utilityFunction", JsonCursor::name);
    this.count = fields.or(1, "count", Quantities::count);
    this.priority =
        fields.or(
            0,
            "priority",
            cursor ->
                cursor.wholeNumber(
                    Integer.MIN_VALUE,
                    Integer.MAX_VALUE,
                    "from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE));
  }

  boolean isEmpty() {
    return seen == 0;
  }

  void read() throws IOException {
    boolean isArray =
        json.array(
            MAX_ENTRIES,
            JOIN,
            index -> {
              seen++;
              entry(index);
            });
    // What is no array has its fault already.
    seen += isArray ? 0 : 1;
  }

  /** The applications, with those that name what is not there logged. */
  List<Application> using(
      Map<String, UtilityFunction> functions,
      Collection<String> functionNames,
      boolean functionsAreKnown,
      Set<String> nodes,
      boolean nodesAreKnown)
      throws IOException {
    List<Application> applications = new ArrayList<>(entries.size());
    BigInteger totalRate = BigInteger.ZERO;
    for (Entry entry : entries) {
      if (functionsAreKnown && !functionNames.contains(entry.function)) {
        json.faultAt(
            "/applications/" + entry.index + "/utilityFunction",
            "names "
                + Quoted.of(entry.function)
                + ", which is no utility function."
                + some(functionNames));
      }
      if (nodesAreKnown) {
        requireNode(nodes, entry.from, entry.index, "from");
        requireNode(nodes, entry.to, entry.index, "to");
      }
      UtilityFunction function = functions.get(entry.function);
      if (function != null && json.faultless()) {
        applications.add(
            Application.of(entry.id, entry.from, entry.to, function, entry.count, entry.priority));
        totalRate =
            totalRate.add(
                BigInteger.valueOf(function.rateMillibits(function.throughputBins() - 1))
                    .multiply(BigInteger.valueOf(entry.count)));
      }
    }
    if (totalRate.compareTo(MAX_TOTAL_RATE) > 0) {
      json.faultAt(
          "/applications",
          "together may ask for more than 2 Pbit/s. Maybe a rate is in the wrong unit.");
    }
    return applications;
  }

  private void requireNode(Set<String> nodes, String node, int index, String member)
      throws IOException {
    if (!nodes.contains(node)) {
      json.faultAt(
          "/applications/" + index + "/" + member,
          "names " + Quoted.of(node) + ", which is no node. Maybe add it to the nodes.");
    }
  }

  private static String some(Collection<String> names) {
    return names.isEmpty()
        ? ""
        : " Maybe you meant one of "
            + names.stream()
                .sorted()
                .limit(8)
                .map(Quoted::printable)
                .collect(Collectors.joining(", "))
            + (names.size() > 8 ? " ..." : "")
            + ".";
  }

  /** An application as it stands in the file. */
  private static final class Entry {
    final int index;
    final String id;
    final String from;
    final String to;
    final String function;
    final int count;
    final int priority;

    Entry(int index, String id, String from, String to, String function, int count, int priority) {
      this.index = index;
      this.id = id;
      this.from = from;
      this.to = to;
      this.function = function;
      this.count = count;
      this.priority = priority;
    }
  }

  private void entry(int index) throws IOException {
    if (!fields.read()) {
      return;
    }
    String place = "/applications/" + index;
    if (id.value().isPresent()) {
      Integer first = known.putIfAbsent(id.get(), index);
      if (first != null) {
        json.faultAt(
            place + "/id",
            Quoted.of(id.get())
                + " is the id of /applications/"
                + first
                + " too. Maybe number them.");
      }
    }
    copies += count.value().orElse(0);
    if (copies > MAX_COPIES) {
      json.faultAt(place, "makes more than " + MAX_COPIES + " applications in all.");
      throw new JsonCursor.Abandoned();
    }
    if (from.value().isPresent() && from.value().equals(to.value())) {
      json.faultAt(
          place,
          "talks from "
              + Quoted.of(from.get())
              + " to itself. Maybe leave local traffic out: it uses no link.");
    } else if (Fields.have(id, from, to, function, count, priority)) {
      entries.add(
          new Entry(
              index, id.get(), from.get(), to.get(), function.get(), count.get(), priority.get()));
    }
  }
}
