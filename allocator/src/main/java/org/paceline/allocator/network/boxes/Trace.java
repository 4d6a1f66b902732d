package org.paceline.allocator.network.boxes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.BoxNode;
import org.paceline.intents.problem.BoxSplit;
import org.paceline.intents.problem.BoxTree;

/** What a search did with its boxes, as long as they are few enough to be written down. */
final class Trace {
  /** A certificate of more is larger than anybody sends, or reads. */
  private static final int MOST_NUMBERS = 100_000;

  /** One box. */
  static final class Entry {
    private double[] prices = new double[0];
    private @Nullable BoxSplit split;
    private @Nullable Entry first;
    private @Nullable Entry second;

    private Entry() {}

    /** The last ones, by which it was closed or parted. */
    void priced(double[] now) {
      prices = now;
    }
  }

  private final Question question;
  private final Entry root = new Entry();
  private int entries = 1;

  Trace(Question question) {
    this.question = question;
  }

  Entry root() {
    return root;
  }

  /** The entries of its halves. */
  Entry[] part(Entry entry, BoxSplit split) {
    entries += 2;
    Entry[] halves = {new Entry(), new Entry()};
    if (isFewEnough()) {
      entry.split = split;
      entry.first = halves[0];
      entry.second = halves[1];
    } else {
      // Nothing of it will be told, so nothing of it is kept.
      root.first = null;
      root.second = null;
    }
    return halves;
  }

  private boolean isFewEnough() {
    return (long) entries * question.links() <= MOST_NUMBERS;
  }

  /** Empty where the boxes were too many. */
  Optional<BoxTree> tree(long bound) {
    if (!isFewEnough()) {
      return Optional.empty();
    }
    List<BoxNode> nodes = new ArrayList<>();
    Deque<Entry> entriesLeft = new ArrayDeque<>(List.of(root));
    Deque<double[]> pricesBefore = new ArrayDeque<>(List.of(new double[question.links()]));
    while (!entriesLeft.isEmpty()) {
      Entry entry = entriesLeft.pop();
      double[] before = pricesBefore.pop();
      double[] prices = entry.prices.length == 0 ? before : entry.prices;
      Optional<Map<LinkId, Double>> own =
          Arrays.equals(prices, before)
              ? Optional.empty()
              : Optional.of(question.field.topology.byLink(prices));
      nodes.add(BoxNode.of(own, Optional.ofNullable(entry.split)));
      if (entry.first != null && entry.second != null) {
        entriesLeft.push(entry.second);
        entriesLeft.push(entry.first);
        pricesBefore.push(prices);
        pricesBefore.push(prices);
      }
    }
    return Optional.of(BoxTree.of(applications(), bound, nodes));
  }

  private List<String> applications() {
    return Arrays.stream(question.units)
        .mapToObj(unit -> question.field.name(unit).application)
        .distinct()
        .collect(Collectors.toList());
  }
}
