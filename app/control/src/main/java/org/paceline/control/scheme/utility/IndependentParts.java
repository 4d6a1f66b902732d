package org.paceline.control.scheme.utility;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.paceline.control.inventory.Routes;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;

/** What can be solved for itself, since it meets nothing else on any link. */
final class IndependentParts {
  private IndependentParts() {}

  /**
   * Groups of applications that share no link; where one has a choice of ways, all are one group.
   */
  static List<List<Application>> of(List<Application> applications, Routes routes) {
    Map<LinkId, LinkId> representative = new HashMap<>();
    // Beside the applications, by place: to hash one takes a look at its whole utility function.
    List<LinkId> anchors = new ArrayList<>();
    for (Application application : applications) {
      Path path = routes.shortest(application.from(), application.to()).orElseThrow();
      if (!routes.isOnly(path)) {
        return List.of(applications);
      }
      LinkId first = find(representative, path.hops().get(0));
      for (LinkId hop : path.hops()) {
        representative.put(find(representative, hop), first);
      }
      anchors.add(first);
    }
    Map<LinkId, List<Application>> parts = new LinkedHashMap<>();
    for (int i = 0; i < anchors.size(); i++) {
      LinkId part = find(representative, anchors.get(i));
      parts.computeIfAbsent(part, any -> new ArrayList<>()).add(applications.get(i));
    }
    List<List<Application>> ordered = new ArrayList<>(parts.values());
    ordered.sort(Comparator.comparing(part -> part.get(0).id()));
    return ordered;
  }

  private static LinkId find(Map<LinkId, LinkId> representative, LinkId link) {
    LinkId at = link;
    while (!representative.getOrDefault(at, at).equals(at)) {
      at = representative.getOrDefault(at, at);
    }
    return at;
  }
}
