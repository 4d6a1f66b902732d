package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.paceline.intents.problem.Application;
import org.paceline.intents.utility.UtilityFunction;

/**
 * All crowds of a problem, in an order that does not depend on that of the applications, and who is
 * in which. One pass that makes nothing for each application: a million of them are common.
 */
final class Crowds {
  private final List<Application> applications;
  private final List<Crowd> ordered;
  private final int[] crowdOf;

  private Crowds(List<Application> applications, List<Crowd> ordered, int[] crowdOf) {
    this.applications = applications;
    this.ordered = ordered;
    this.crowdOf = crowdOf;
  }

  /** O(n + c log c) for n applications and c crowds. */
  static Crowds of(List<Application> applications) {
    List<Crowd> found = new ArrayList<>();
    Map<List<String>, Integer> numbers = new HashMap<>();
    // Most often the function alone tells, and comparing it by identity is next to free.
    Map<UtilityFunction, Integer> latest = new IdentityHashMap<>();
    int[] crowdOf = new int[applications.size()];
    int number = -1;
    int at = 0;
    for (Application application : applications) {
      if (number < 0 || !found.get(number).takes(application)) {
        number = latest.getOrDefault(application.utilityFunction(), -1);
        if (number < 0 || !found.get(number).takes(application)) {
          number =
              numbers.computeIfAbsent(
                  List.of(
                      application.utilityFunction().name(), application.from(), application.to()),
                  kind -> {
                    found.add(new Crowd(application));
                    return found.size() - 1;
                  });
          latest.put(application.utilityFunction(), number);
        }
      }
      found.get(number).add(application);
      crowdOf[at++] = number;
    }
    return sorted(applications, found, crowdOf);
  }

  private static Crowds sorted(List<Application> applications, List<Crowd> found, int[] crowdOf) {
    List<Crowd> ordered = new ArrayList<>(found);
    ordered.sort(
        Comparator.comparing((Crowd c) -> c.function().name())
            .thenComparing(Crowd::from)
            .thenComparing(Crowd::to));
    if (!ordered.equals(found)) {
      Map<Crowd, Integer> places = new IdentityHashMap<>();
      ordered.forEach(crowd -> places.put(crowd, places.size()));
      int[] moved = found.stream().mapToInt(crowd -> places.getOrDefault(crowd, -1)).toArray();
      for (int i = 0; i < crowdOf.length; i++) {
        crowdOf[i] = moved[crowdOf[i]];
      }
    }
    return new Crowds(applications, ordered, crowdOf);
  }

  List<Crowd> ordered() {
    return ordered;
  }

  int size() {
    return ordered.size();
  }

  Crowd get(int crowd) {
    return ordered.get(crowd);
  }

  List<Application> applications() {
    return applications;
  }

  /** The crowd that the application at this place of the problem belongs to. */
  int crowdOf(int application) {
    return crowdOf[application];
  }

  /** Whom a sentence about a crowd names: the least id. O(n). */
  String nameOf(int crowd) {
    return IntStream.range(0, crowdOf.length)
        .filter(i -> crowdOf[i] == crowd)
        .mapToObj(i -> applications.get(i).id())
        .min(Comparator.naturalOrder())
        .orElseThrow(AssertionError::new);
  }
}
