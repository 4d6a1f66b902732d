package org.paceline.intents.network;

import com.google.auto.value.AutoValue;
import com.google.auto.value.extension.memoized.Memoized;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;

/** A loop-free way through the network, as the nodes it visits in order. */
@AutoValue
public abstract class Path {
  /** At least two distinct nodes. */
  public abstract List<String> nodes();

  public static Path of(List<String> nodes) {
    if (nodes.size() < 2 || new HashSet<>(nodes).size() != nodes.size()) {
      throw new IllegalArgumentException(
          "The path " + nodes + " must visit at least two nodes, and none twice.");
    }
    return new AutoValue_Path(Collections.unmodifiableList(new ArrayList<>(nodes)));
  }

  public String from() {
    return nodes().get(0);
  }

  public String to() {
    return nodes().get(nodes().size() - 1);
  }

  /** The links in order; made once, for plans ask each path again and again. */
  @Memoized
  public List<LinkId> hops() {
    List<LinkId> hops = new ArrayList<>(nodes().size() - 1);
    for (int i = 1; i < nodes().size(); i++) {
      hops.add(LinkId.of(nodes().get(i - 1), nodes().get(i)));
    }
    return Collections.unmodifiableList(hops);
  }

  @Override
  public final String toString() {
    return String.join(" -> ", nodes());
  }
}
