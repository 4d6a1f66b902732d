package org.paceline.allocator.milp;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Problem;

/**
 * The same problem in one order. Branch and bound breaks ties by the order of its variables; so the
 * order of the input does not matter.
 */
final class Sorted {
  private Sorted() {}

  static Problem of(Problem problem) {
    List<String> nodes = new ArrayList<>(problem.network().nodes());
    nodes.sort(Comparator.naturalOrder());
    List<Link> links = new ArrayList<>(problem.network().links());
    links.sort(Comparator.comparing(Link::id));
    List<Application> applications = new ArrayList<>(problem.applications());
    applications.sort(Comparator.comparing(Application::id));
    return problem.withNetwork(Network.of(nodes, links)).withApplications(applications);
  }
}
