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

  /** Groups of applications that share no link; those with a choice of ways form one group. */
  static List<List<Application>> of(List<Application> applications, Routes routes) {
    Map<LinkId, LinkId> representative = new HashMap<>();
    Map<Application, LinkId> anchor = new LinkedHashMap<>();
    boolean choice = false;
    for (Application application : applications) {
      Path path = routes.shortest(application.from(), application.to()).orElseThrow();
      choice |= !routes.isOnly(path);
      LinkId first = find(representative, path.hops().get(0));
      for (LinkId hop : path.hops()) {
        representative.put(find(representative, hop), first);
      }
      anchor.put(application, first);
    }
    if (choice) {
      return applications.isEmpty() ? List.of() : List.of(applications);
    }
    Map<LinkId, List<Application>> parts = new LinkedHashMap<>();
    anchor.forEach(
        (application, link) ->
            parts
                .computeIfAbsent(find(representative, link), l -> new ArrayList<>())
                .add(application));
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
