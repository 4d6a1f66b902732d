package org.paceline.allocator.incremental;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Outcome;
import org.paceline.intents.problem.Problem;

/**
 * A full solve of a live allocation on its way: of those who were here when it began, and then of
 * the events since, which are played again onto its result.
 */
public final class PendingSolve {
  private final Problem began;
  private final Map<LinkId, Link> changedLinks;
  private final List<Application> present;
  private final double greatestGap;

  /** Filled by the events' thread while the solving thread empties it. */
  private final Queue<Function<LiveAllocation, LiveReport>> events = new ConcurrentLinkedQueue<>();

  private Optional<LiveAllocation> result = Optional.empty();
  private boolean isFull;

  PendingSolve(
      Problem began,
      Map<LinkId, Link> changedLinks,
      List<Application> present,
      double greatestGap) {
    this.began = began;
    this.changedLinks = changedLinks;
    this.present = present;
    this.greatestGap = greatestGap;
  }

  void note(Function<LiveAllocation, LiveReport> event) {
    events.add(event);
  }

  /**
   * On any one thread, to whose end the events' thread must wait before it adopts. Where the
   * outcome has a solution there is something to adopt.
   */
  public Outcome solve(Allocator allocator, SolveOptions options) {
    Problem now = problem(began, changedLinks, present);
    Outcome outcome = allocator.solve(now, options);
    if (outcome.solution().isPresent()) {
      Network whole = LiveAllocation.changed(began.network(), changedLinks);
      Seating seating = new Seating(now, whole, outcome.orElseThrow());
      result = Optional.of(LiveAllocation.resumed(began, changedLinks, seating, greatestGap));
      catchUp();
    }
    return outcome;
  }

  LiveAllocation result() {
    return result.orElseThrow(
        () ->
            new IllegalStateException(
                "The solve has no solution to adopt. Maybe look at its outcome first."));
  }

  /** Plays the events since then; true if somebody found no place who had one. */
  boolean catchUp() {
    LiveAllocation fresh = result();
    for (var event = events.poll(); event != null; event = events.poll()) {
      isFull |= !event.apply(fresh).refused().isEmpty();
    }
    return isFull;
  }

  /** A problem of those who are here; a link without capacity is no way for anybody. */
  static Problem problem(Problem began, Map<LinkId, Link> changedLinks, List<Application> present) {
    if (changedLinks.isEmpty()) {
      return began.withApplications(present);
    }
    Network network = LiveAllocation.changed(began.network(), changedLinks);
    List<Link> links =
        network.links().stream()
            .filter(link -> link.limitMillibits() > 0)
            .collect(Collectors.toList());
    return began.withNetwork(Network.of(network.nodes(), links)).withApplications(present);
  }
}
