package org.paceline.control.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.Route;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;

/** Between two plans: what is to be done, and as text how many are granted more or less. */
public final class PlanDifference {
  private final List<ConversationId> paced = new ArrayList<>();
  private final List<ConversationId> moved = new ArrayList<>();
  private final List<ConversationId> ended = new ArrayList<>();
  private int newGrants;
  private int raised;
  private int lowered;
  private int movedGrants;
  private int endedGrants;
  private int divided;
  private int undivided;

  private PlanDifference() {}

  public static PlanDifference between(Plan earlier, Plan later) {
    PlanDifference difference = new PlanDifference();
    later
        .directives()
        .paces()
        .forEach(
            (id, now) ->
                difference.now(
                    now,
                    Optional.ofNullable(earlier.directives().paces().get(id)),
                    Optional.ofNullable(earlier.directives().routes().get(id)),
                    Optional.ofNullable(later.directives().routes().get(id))));
    earlier
        .directives()
        .paces()
        .forEach(
            (id, before) -> {
              if (!later.directives().paces().containsKey(id)) {
                difference.ended.add(id);
                difference.endedGrants += isGrant(before) ? 1 : 0;
              }
            });
    Map<LinkId, Queue> before = earlier.directives().queues();
    Map<LinkId, Queue> after = later.directives().queues();
    after.forEach(
        (link, queue) -> {
          if (!sharesOf(before, link).equals(Optional.of(queue.shares()))) {
            difference.divided++;
          }
        });
    difference.undivided =
        (int) before.keySet().stream().filter(l -> !after.containsKey(l)).count();
    return difference;
  }

  private static Optional<QueueShares> sharesOf(Map<LinkId, Queue> queues, LinkId link) {
    return Optional.ofNullable(queues.get(link)).map(Queue::shares);
  }

  private void now(
      Pace now, Optional<Pace> before, Optional<Route> routeBefore, Optional<Route> route) {
    if (before.isEmpty()) {
      paced.add(now.conversation());
    }
    boolean isMoved =
        routeBefore.isPresent() && route.isPresent() && !route.get().leadsAs(routeBefore.get());
    if (isMoved) {
      moved.add(now.conversation());
    }
    boolean wasGrant = before.filter(PlanDifference::isGrant).isPresent();
    if (!isGrant(now)) {
      endedGrants += wasGrant ? 1 : 0;
    } else if (!wasGrant) {
      newGrants++;
    } else {
      int change = now.rate().compareTo(before.get().rate());
      raised += change > 0 ? 1 : 0;
      lowered += change < 0 ? 1 : 0;
      movedGrants += isMoved ? 1 : 0;
    }
  }

  private static boolean isGrant(Pace pace) {
    return pace.reason() == Directive.Reason.GRANTED;
  }

  /** Who has a rate, and had none. */
  public List<ConversationId> paced() {
    return paced;
  }

  /** Whose path is another one, or whose packets go into other queues. */
  public List<ConversationId> moved() {
    return moved;
  }

  /** Who had a rate, and has none. */
  public List<ConversationId> ended() {
    return ended;
  }

  /**
   * Of the grants alone, without those who are only held to a rate, and of ports where their queues
   * are others.
   */
  @Override
  public String toString() {
    return String.format(
            "%d new, %d raised, %d lowered, %d moved, %d ended",
            newGrants, raised, lowered, movedGrants, endedGrants)
        + (divided + undivided == 0
            ? ""
            : String.format(", %d ports divided, %d no longer", divided, undivided));
  }
}
