package org.paceline.control.planning;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.control.directive.Directives;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.intents.problem.Grant;

/** All that is wanted of the network at one version, and what conversations get by it. */
@AutoValue
public abstract class Plan {
  public static final Plan EMPTY =
      of(0, Directives.NONE, Map.of(), Map.of(), Map.of(), PlanSummary.EMPTY);

  /** Grows from plan to plan, not always by one: each batch of rates takes a number too. */
  public abstract long version();

  /** What is carried out. */
  public abstract Directives directives();

  /** What those get who are served, ordered by id. */
  public abstract NavigableMap<ConversationId, Grant> grants();

  /** Who gets no grant, and why. */
  public abstract NavigableMap<ConversationId, Unserved> unserved();

  /**
   * Of those without a grant, who is held to a rate so that links keep their sums: to a small one
   * (by the scheme), or to what it had while it has no way ({@link DisconnectedConversations}).
   */
  public abstract NavigableMap<ConversationId, Grant> restrained();

  public abstract PlanSummary summary();

  /** What a conversation gets, served or not. */
  Optional<Grant> of(ConversationId id) {
    return Optional.ofNullable(grants().get(id))
        .or(() -> Optional.ofNullable(restrained().get(id)));
  }

  public static Plan of(
      long version,
      Directives directives,
      Map<ConversationId, Grant> grants,
      Map<ConversationId, Unserved> unserved,
      Map<ConversationId, Grant> restrained,
      PlanSummary summary) {
    return new AutoValue_Plan(
        version,
        directives,
        Collections.unmodifiableNavigableMap(new TreeMap<>(grants)),
        Collections.unmodifiableNavigableMap(new TreeMap<>(unserved)),
        Collections.unmodifiableNavigableMap(new TreeMap<>(restrained)),
        summary);
  }
}
