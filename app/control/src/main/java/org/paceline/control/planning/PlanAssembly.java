package org.paceline.control.planning;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Decision;
import org.paceline.intents.problem.Grant;

/** A scheme's decision in the words of conversations, without those that ended meanwhile. */
public final class PlanAssembly {
  private final Map<ConversationId, Grant> grants = new TreeMap<>();
  private final Map<ConversationId, Unserved> unserved = new TreeMap<>();
  private final Map<ConversationId, Grant> restrained = new TreeMap<>();
  private final Decision decision;
  private Directives directives = Directives.NONE;

  private PlanAssembly(Decision decision) {
    this.decision = decision;
  }

  static PlanAssembly of(PlanningResult result, Set<ConversationId> alive, NodeNames names) {
    Decision decision = result.decision;
    PlanAssembly assembly = new PlanAssembly(decision);
    assembly.directives =
        decision
            .directives()
            .with(result.disconnected.directives)
            .without(id -> !alive.contains(id));
    decision
        .grants()
        .forEach(
            (id, grant) ->
                find(id).filter(alive::contains).ifPresent(i -> assembly.grants.put(i, grant)));
    decision
        .restrained()
        .forEach(
            (id, grant) ->
                find(id).filter(alive::contains).ifPresent(i -> assembly.restrained.put(i, grant)));
    decision
        .unserved()
        .forEach(
            (id, why) ->
                find(id)
                    .filter(alive::contains)
                    .ifPresent(i -> assembly.unserved.put(i, why.named(names))));
    result.disconnected.grants.forEach(
        (id, grant) -> {
          if (alive.contains(id)) {
            assembly.restrained.put(id, grant);
          }
        });
    result.demands.unserved.forEach(
        (id, why) -> {
          if (alive.contains(id)) {
            assembly.unserved.put(id, why);
          }
        });
    return assembly;
  }

  private static Optional<ConversationId> find(String id) {
    return ConversationId.tryParse(id);
  }

  public Plan plan(long version) {
    return Plan.of(
        version,
        directives,
        grants,
        unserved,
        restrained,
        PlanSummary.of(
            grants.values(),
            decision.method(),
            decision.elapsed(),
            decision.gap(),
            decision.remarks()));
  }
}
