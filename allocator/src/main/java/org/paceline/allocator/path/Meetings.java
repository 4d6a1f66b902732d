package org.paceline.allocator.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Who can meet on a link, over whichever paths: the others are problems of their own. */
public final class Meetings {
  /** Of links, then of those who use them: another of the same group; itself at first. */
  private final int[] root;

  private Meetings(int size) {
    this.root = IntStream.range(0, size).toArray();
  }

  /**
   * Groups of those who can meet, directly or by way of others. Whoever has no path is alone.
   *
   * @param paths by user, all that it may take, as numbers of links
   * @return the users of each group in their order; groups by their first users
   */
  public static List<int[]> groups(int links, List<int[][]> paths) {
    Meetings meetings = new Meetings(links + paths.size());
    for (int user = 0; user < paths.size(); user++) {
      for (int[] path : paths.get(user)) {
        for (int link : path) {
          meetings.join(link, links + user);
        }
      }
    }
    Map<Integer, List<Integer>> groups = new TreeMap<>();
    for (int user = 0; user < paths.size(); user++) {
      groups.computeIfAbsent(meetings.find(links + user), r -> new ArrayList<>()).add(user);
    }
    return groups.values().stream()
        .sorted((a, b) -> Integer.compare(a.get(0), b.get(0)))
        .map(group -> group.stream().mapToInt(Integer::intValue).toArray())
        .collect(Collectors.toList());
  }

  private void join(int one, int other) {
    root[find(one)] = find(other);
  }

  private int find(int of) {
    int at = of;
    while (root[at] != at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  }
}
