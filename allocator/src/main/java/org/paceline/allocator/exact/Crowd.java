package org.paceline.allocator.exact;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.utility.UtilityFunction;

/** The applications that want the same and go the same way, ordered by id. */
final class Crowd {
  private static final Comparator<Application> BY_ID = Comparator.comparing(Application::id);

  private final List<Application> members = new ArrayList<>();
  private long count;

  /** All crowds of a problem, in an order that does not depend on that of the applications. */
  static List<Crowd> of(List<Application> applications) {
    Map<String, Map<String, Crowd>> byFunctionAndEnds = new HashMap<>();
    Application last = null;
    Crowd lastCrowd = null;
    for (Application application : applications) {
      // Runs of the same kind are common and a million look-ups are not free.
      if (last == null || lastCrowd == null || !sameKind(last, application)) {
        lastCrowd =
            byFunctionAndEnds
                .computeIfAbsent(application.utilityFunction().name(), f -> new HashMap<>())
                .computeIfAbsent(application.from() + '\n' + application.to(), e -> new Crowd());
      }
      lastCrowd.members.add(application);
      lastCrowd.count += application.count();
      last = application;
    }
    List<Crowd> crowds = new ArrayList<>();
    byFunctionAndEnds.values().forEach(byEnds -> crowds.addAll(byEnds.values()));
    crowds.sort(
        Comparator.comparing((Crowd c) -> c.function().name())
            .thenComparing(Crowd::from)
            .thenComparing(Crowd::to));
    crowds.forEach(Crowd::sortMembers);
    return crowds;
  }

  private static boolean sameKind(Application a, Application b) {
    return a.utilityFunction() == b.utilityFunction()
        && a.from().equals(b.from())
        && a.to().equals(b.to());
  }

  /** Grants made crowd by crowd, by application id; within an application as they came. */
  static List<Grant> orderedGrants(List<Crowd> crowds, List<Grant> grants) {
    if (crowds.size() > 1) {
      grants.sort(Comparator.comparing(Grant::applicationId));
    }
    return grants;
  }

  private void sortMembers() {
    for (int i = 1; i < members.size(); i++) {
      if (BY_ID.compare(members.get(i - 1), members.get(i)) > 0) {
        Collections.sort(members, BY_ID);
        return;
      }
    }
  }

  List<Application> members() {
    return members;
  }

  long count() {
    return count;
  }

  UtilityFunction function() {
    return members.get(0).utilityFunction();
  }

  String from() {
    return members.get(0).from();
  }

  String to() {
    return members.get(0).to();
  }
}
