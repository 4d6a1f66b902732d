package org.paceline.agent.enforce;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What turns the classes that are installed into those that are wanted. Changing a class is
 * hundreds of times cheaper than making one anew and keeps its queue, so no class is made again.
 */
public record ClassChanges(
    Map<Integer, ClassRate> added, Map<Integer, ClassRate> changed, TreeSet<Integer> removed) {
  public static ClassChanges between(
      Map<Integer, ClassRate> installed, Map<Integer, ClassRate> wanted) {
    Map<Integer, ClassRate> added = new TreeMap<>();
    Map<Integer, ClassRate> changed = new TreeMap<>();
    wanted.forEach(
        (minor, rate) -> {
          ClassRate now = installed.get(minor);
          if (now == null) {
            added.put(minor, rate);
          } else if (!now.equals(rate)) {
            changed.put(minor, rate);
          }
        });
    TreeSet<Integer> removed = new TreeSet<>();
    for (Integer minor : installed.keySet()) {
      if (!wanted.containsKey(minor)) {
        removed.add(minor);
      }
    }
    return new ClassChanges(added, changed, removed);
  }

  public boolean isEmpty() {
    return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
  }
}
