package org.paceline.control.planning;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.List;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.Route;
import org.paceline.control.model.ConversationId;

/** Who gains, who yields, who moves to another path and who leaves between two plans. */
@AutoValue
public abstract class PlanDifference {
  public abstract List<ConversationId> granted();

  public abstract List<ConversationId> raised();

  public abstract List<ConversationId> lowered();

  public abstract List<ConversationId> moved();

  public abstract List<ConversationId> ended();

  public static PlanDifference between(Directives earlier, Directives later) {
    List<ConversationId> granted = new ArrayList<>();
    List<ConversationId> raised = new ArrayList<>();
    List<ConversationId> lowered = new ArrayList<>();
    List<ConversationId> moved = new ArrayList<>();
    List<ConversationId> ended = new ArrayList<>();
    later
        .paces()
        .forEach(
            (id, now) -> {
              Pace before = earlier.paces().get(id);
              if (before == null) {
                granted.add(id);
                return;
              }
              int change = now.rate().compareTo(before.rate());
              if (change != 0) {
                (change > 0 ? raised : lowered).add(id);
              }
            });
    later
        .routes()
        .forEach(
            (id, now) -> {
              Route before = earlier.routes().get(id);
              if (before != null && !now.path().equals(before.path())) {
                moved.add(id);
              }
            });
    for (ConversationId id : earlier.paces().keySet()) {
      if (!later.paces().containsKey(id)) {
        ended.add(id);
      }
    }
    return new AutoValue_PlanDifference(
        List.copyOf(granted),
        List.copyOf(raised),
        List.copyOf(lowered),
        List.copyOf(moved),
        List.copyOf(ended));
  }

  public boolean isEmpty() {
    return granted().isEmpty()
        && raised().isEmpty()
        && lowered().isEmpty()
        && moved().isEmpty()
        && ended().isEmpty();
  }

  @Override
  public final String toString() {
    return String.format(
        "%d new, %d raised, %d lowered, %d moved, %d ended",
        granted().size(), raised().size(), lowered().size(), moved().size(), ended().size());
  }
}
