package org.paceline.control.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.planning.WhatIfResult;
import org.paceline.control.rollout.Planner;
import org.paceline.control.scheme.Demand;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Explains a grant from the plan's prices and from a second plan: the real solver on a copy in
 * which the conversation has the rate that the next {@link #STEP_BILLIONTHS} of utility needs. What
 * the others have less there is the step's cost. No rate changes for it.
 *
 * <p>A scheme that does not go by utility functions is asked what it would give if that rate were
 * reserved. Whom its own reservation already promises the rate has no step to pay for.
 */
public final class Explainer {
  /** A tenth of utility: about the least that users notice. */
  static final long STEP_BILLIONTHS = Utility.SCALE / 10;

  private Explainer() {}

  /** Empty where the conversation has no grant in the plan in force. */
  public static Optional<Explanation> explain(Proof proof, Planner planner) {
    ConversationId id = proof.conversation().id();
    Optional<Grant> planned = Optional.ofNullable(planner.plan().grants().get(id));
    if (planned.isEmpty()) {
      return Optional.empty();
    }
    Grant grant = planned.get();
    UtilityFunction function = proof.requested().boundedFunction();
    long wanted = grant.utility().billionths() + STEP_BILLIONTHS;
    Optional<DataRate> rate = leastRate(function, grant, wanted);
    return planner
        .whatIf(
            demand ->
                rate.filter(r -> demand.application().id().equals(id.toString()))
                    .map(r -> with(demand, r))
                    .orElse(demand))
        .map(
            result ->
                Explanation.of(
                    proof,
                    grant,
                    links(result, grant),
                    rate.map(r -> next(proof, r, wanted, result))
                        .orElseGet(
                            () ->
                                NextStep.none(
                                    "No rate of ("
                                        + function.name()
                                        + ") is worth 0.1 more within this delay: it has the best"
                                        + " that there is."))));
  }

  private static List<LinkShare> links(WhatIfResult plan, Grant grant) {
    List<LinkShare> shares = new ArrayList<>();
    for (LinkId hop : grant.path().hops()) {
      shares.add(
          LinkShare.of(
              hop,
              plan.network().link(hop).map(Link::capacity).orElse(DataRate.ZERO),
              plan.prices().getOrDefault(hop, 0.0),
              plan.grantedBy(hop),
              plan.heldTo(hop),
              plan.filledBy(hop)));
    }
    return shares;
  }

  private static NextStep next(Proof proof, DataRate rate, long wanted, WhatIfResult then) {
    Optional<DataRate> promised = lentOf(proof).filter(own -> own.compareTo(rate) >= 0);
    if (promised.isPresent()) {
      return NextStep.none(
          "The next 0.1 needs "
              + rate
              + ", and "
              + promised.get()
              + " are reserved for it: it has them with the period after it uses all of its"
              + " rate.");
    }
    Optional<Grant> got = Optional.ofNullable(then.after().get(proof.conversation().id()));
    if (got.isEmpty() || got.get().utility().billionths() < wanted) {
      return NextStep.none(
          "The next 0.1 needs "
              + rate
              + ", which cannot be had beside what the others must have."
              + then.remarks().stream().map(remark -> " " + remark).collect(Collectors.joining()));
    }
    return NextStep.of(got.get().rate(), got.get().utility(), losses(then));
  }

  /** What an adaptive reservation of its intent promises it, whoever has it at the moment. */
  private static Optional<DataRate> lentOf(Proof proof) {
    return Optional.of(proof.requested())
        .filter(policy -> policy.scheme().value() == SchemeName.ADAPTIVE_RESERVATIONS)
        .flatMap(policy -> policy.minimumRate().map(Sourced::value));
  }

  /** The least rate that is worth as much within the delay granted, or within a longer one. */
  private static Optional<DataRate> leastRate(UtilityFunction function, Grant grant, long wanted) {
    for (int t = 0; t < function.throughputBins(); t++) {
      for (int d = 0; d < function.delayBins(); d++) {
        if (function.delay(d).compareTo(grant.delay()) >= 0
            && function.utility(t, d).billionths() >= wanted) {
          return Optional.of(function.throughput(t));
        }
      }
    }
    return Optional.empty();
  }

  private static Demand with(Demand demand, DataRate rate) {
    switch (demand.scheme()) {
      case SERVICE_CLASSES:
      case ADAPTIVE_RESERVATIONS:
        return demand.reserving(rate);
      default:
        return at(demand, rate);
    }
  }

  private static Demand at(Demand demand, DataRate rate) {
    UtilityFunction function = demand.application().utilityFunction();
    return demand.valuedBy(function.within(rate, rate).named(function.name() + " at " + rate));
  }

  private static List<NextStep.Loss> losses(WhatIfResult result) {
    List<NextStep.Loss> losses = new ArrayList<>();
    result
        .before()
        .forEach(
            (id, before) -> {
              NextStep.Loss loss =
                  NextStep.Loss.of(
                      id,
                      before.utility(),
                      Optional.ofNullable(result.after().get(id)).map(Grant::utility));
              if (loss.billionths() > 0) {
                losses.add(loss);
              }
            });
    losses.sort(Comparator.comparingLong(NextStep.Loss::billionths).reversed());
    return losses;
  }
}
