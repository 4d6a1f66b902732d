package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.paceline.control.inventory.IntentUse;
import org.paceline.control.inventory.NamedIntents;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.planning.WhatIfResult;
import org.paceline.control.rollout.Planner;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;

/**
 * What another intent tree would do to those who talk: the real solver on a copy of the plan's
 * problem. No rate changes for it.
 */
@AutoValue
public abstract class PolicyDifference {
  /** The nodes that differ. */
  public abstract SortedSet<IntentPath> nodes();

  /** Who would notice: the greatest change first. */
  public abstract List<Effect> effects();

  /** Who would get nothing, and why. */
  public abstract NavigableMap<ConversationId, Unserved> unserved();

  public abstract List<String> remarks();

  /** The intents that it takes away and that agents' rules or open conversations name. */
  public abstract List<IntentUse> stillNamed();

  /** Why a conversation would notice; the first that holds. */
  public enum Cause {
    /** Its rate would be another. */
    RATE,
    /** With its rate it would take another path. */
    PATH,
    /** With its rate and path, links would be loaded otherwise. */
    DELAY,
    /** What it has stays, and another utility function says what that is worth. */
    FUNCTION
  }

  /** What a conversation has and would have. */
  @AutoValue
  public abstract static class Effect {
    public abstract ConversationId conversation();

    public abstract Optional<Grant> before();

    public abstract Optional<Grant> after();

    /** Billionths of utility; who gets nothing counts as 0. */
    public long gain() {
      return after().map(g -> g.utility().billionths()).orElse(0L)
          - before().map(g -> g.utility().billionths()).orElse(0L);
    }

    public Cause cause() {
      if (changesRate()) {
        return Cause.RATE;
      }
      if (moves()) {
        return Cause.PATH;
      }
      return before().map(Grant::delay).equals(after().map(Grant::delay))
          ? Cause.FUNCTION
          : Cause.DELAY;
    }

    /** Its flow rules change: it gets another path, gains one or loses it. */
    public boolean moves() {
      return !before().map(Grant::path).equals(after().map(Grant::path));
    }

    /** Its rate is enforced anew, by its agent or a meter. */
    public boolean changesRate() {
      return !before().map(Grant::rate).equals(after().map(Grant::rate));
    }
  }

  public long winners() {
    return effects().stream().filter(effect -> effect.gain() > 0).count();
  }

  public long losers() {
    return effects().stream().filter(effect -> effect.gain() < 0).count();
  }

  public long moves() {
    return effects().stream().filter(Effect::moves).count();
  }

  public long rates() {
    return effects().stream().filter(Effect::changesRate).count();
  }

  /** Who would have what they have, which another utility function values otherwise. */
  public long revalued() {
    return effects().stream().filter(effect -> effect.cause() == Cause.FUNCTION).count();
  }

  /** All gains and losses together, in billionths of utility. */
  public long sum() {
    return effects().stream().mapToLong(Effect::gain).sum();
  }

  /** Any thread may ask; it takes as long as a plan takes. Before the first plan nobody differs. */
  public static PolicyDifference of(
      IntentTree now, IntentTree next, Planner planner, ProofBook proofs) {
    Function<Conversation, EffectivePolicy> requested = planner.requestedUnder(next);
    Map<String, EffectivePolicy> policies = new HashMap<>();
    for (Proof proof : proofs.all()) {
      Conversation conversation = proof.conversation();
      policies.put(conversation.id().toString(), requested.apply(conversation));
    }
    Optional<WhatIfResult> result =
        planner.whatIf(
            demand ->
                Optional.ofNullable(policies.get(demand.application().id()))
                    .map(demand::under)
                    .orElse(demand));
    return new AutoValue_PolicyDifference(
        now.differences(next),
        result.map(PolicyDifference::effects).orElse(List.of()),
        result.map(WhatIfResult::unserved).orElse(new TreeMap<>()),
        result.map(WhatIfResult::remarks).orElse(List.of()),
        NamedIntents.of(planner.agents(), proofs.all()).lost(now, next));
  }

  private static List<Effect> effects(WhatIfResult result) {
    SortedSet<ConversationId> all = new TreeSet<>(result.before().keySet());
    all.addAll(result.after().keySet());
    List<Effect> effects = new ArrayList<>();
    for (ConversationId id : all) {
      Optional<Grant> before = Optional.ofNullable(result.before().get(id));
      Optional<Grant> after = Optional.ofNullable(result.after().get(id));
      Effect effect = new AutoValue_PolicyDifference_Effect(id, before, after);
      if (effect.gain() != 0 || effect.moves() || effect.changesRate()) {
        effects.add(effect);
      }
    }
    effects.sort(Comparator.comparingLong((Effect effect) -> Math.abs(effect.gain())).reversed());
    return List.copyOf(effects);
  }
}
