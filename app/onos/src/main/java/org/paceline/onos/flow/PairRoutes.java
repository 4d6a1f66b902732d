package org.paceline.onos.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.TrafficSelector;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.Worker;
import org.paceline.control.rollout.MeterRenewals;
import org.paceline.control.work.Each;
import org.paceline.intents.network.Path;

/**
 * All conversations between one pair of hosts and the rules that lead them: one change at a time,
 * each from what is in force to what is wanted when it begins. Belongs to the worker's thread.
 */
final class PairRoutes {
  /** Longer than packets are under way on the old path. */
  private static final Duration DRAIN = Duration.ofMillis(500);

  /** Rates that change together are looked at once. */
  private static final Duration FRAGMENTS = Duration.ofMillis(500);

  /** What a switch has not taken away it is asked for again after that. */
  private static final Duration AGAIN = Duration.ofSeconds(2);

  /**
   * Nobody is told its way before those who hold rates are back, so that most of whom a controller
   * before us led have theirs by then. Packets of whoever comes later are left to default
   * forwarding meanwhile.
   */
  private static final Duration LEFTOVER = Duration.ofSeconds(5);

  private final PairRules pairRules;
  private final StagedWriter writer;
  private final TableBudget budget;
  private final Worker worker;
  private final BiConsumer<ConversationId, Unserved> refused;
  private final MeterRenewals renewals;
  private final Map<ConversationId, Lead> leads = new TreeMap<>();
  private final Set<ConversationId> unsettled = new TreeSet<>();
  // By itself, because equality leaves the treatment out.
  private final Map<FlowRule, FlowRule> inForce = new HashMap<>();
  private final Set<FlowRule> doubtful = new HashSet<>();

  /** Of those in force, what a controller before us left and nobody has wanted since. */
  private final Set<FlowRule> unclaimed = new HashSet<>();

  /** How many clocks run for rules that packets on the old path may still need. */
  private final Map<FlowRule, Integer> draining = new HashMap<>();

  /** Of which a clock ran out while a change was on its way. */
  private final List<FlowRule> overdue = new ArrayList<>();

  private final List<Runnable> waiting = new ArrayList<>();
  private Collection<PlacedRule> wanted = List.of();
  private Optional<Path> common = Optional.empty();
  private boolean changing;

  /** Whose meter fragments pass is looked at soon. */
  private boolean looksLater;

  PairRoutes(
      PairRules pairRules,
      StagedWriter writer,
      TableBudget budget,
      Worker worker,
      MeterRenewals renewals,
      BiConsumer<ConversationId, Unserved> refused) {
    this.pairRules = pairRules;
    this.writer = writer;
    this.budget = budget;
    this.worker = worker;
    this.renewals = renewals;
    this.refused = refused;
  }

  Optional<Lead> lead(ConversationId id) {
    return Optional.ofNullable(leads.get(id));
  }

  Set<ConversationId> leads() {
    return leads.keySet();
  }

  boolean isIdle() {
    return leads.isEmpty() && inForce.isEmpty() && !changing;
  }

  /** A change is on its way to the switches, or waits for a meter. */
  boolean isChanging() {
    return changing || renewals.isWaiting();
  }

  /**
   * Rules that a controller before this one left on the switches lead as before, until they are
   * changed like all others, or for a while where nobody wants them.
   */
  void adopt(Collection<FlowRule> leftovers) {
    if (changing) {
      return; // Some may be on their way out. It is looked for them again.
    }
    List<FlowRule> adopted = new ArrayList<>();
    for (FlowRule rule : leftovers) {
      if (inForce.putIfAbsent(rule, rule) == null) {
        budget.count(rule);
        adopted.add(rule);
      }
    }
    if (!adopted.isEmpty()) {
      unclaimed.addAll(adopted);
      worker.after(LEFTOVER, () -> dropUnclaimed(adopted));
    }
  }

  /**
   * Rules that were removed and are on their switches again. Those that nobody has written since
   * are removed once more, at once: nobody waits for them as for those of a controller before.
   */
  void removeAgain(Collection<FlowRule> thereAgain) {
    for (FlowRule rule : thereAgain) {
      if (inForce.putIfAbsent(rule, rule) == null) {
        budget.count(rule);
        // Who wants it meanwhile has it written anew: nobody knows what the switch makes of it.
        doubtful.add(rule);
        overdue.add(rule);
      }
    }
    removeOverdue();
  }

  private void dropUnclaimed(List<FlowRule> adopted) {
    adopted.stream().filter(unclaimed::remove).forEach(overdue::add);
    removeOverdue();
  }

  void put(Lead lead) {
    ConversationId id = lead.conversation().id();
    Lead before = leads.put(id, lead);
    if (lead.equals(before)) {
      return;
    }
    if (before != null && lead.isLedAs(before) && isAsWanted()) {
      lookAtFragmentsLater();
      return;
    }
    unsettled.add(id);
    begin();
  }

  /** Nothing is under way, or in doubt. */
  private boolean isAsWanted() {
    return !isChanging() && unsettled.isEmpty() && doubtful.isEmpty();
  }

  /**
   * What a meter lets through only decides whose meter fragments pass. To look through all rules of
   * the pair for each rate that changes would take time by the square of its conversations.
   */
  private void lookAtFragmentsLater() {
    if (!looksLater) {
      looksLater = true;
      worker.after(
          FRAGMENTS,
          () -> {
            looksLater = false;
            begin();
          });
    }
  }

  /** Through this meter, or none, as soon as nothing else is under way. */
  void meter(Lead lead, Optional<PassedMeter> meter) {
    renewals.came(lead.conversation().id());
    put(lead.through(meter));
    if (!unsettled.isEmpty()) {
      begin();
    }
  }

  void remove(ConversationId id) {
    unsettled.remove(id);
    renewals.forget(List.of(id));
    if (leads.remove(id) != null) {
      begin();
    }
  }

  /** Looks again at what is wanted. */
  void refresh() {
    begin();
  }

  /** Runs what it is given when nothing is left to change. */
  void whenSettled(Runnable then) {
    waiting.add(then);
    settle();
  }

  /** The rules that a conversation needs, as they should be now. */
  List<FlowRule> rulesOf(ConversationId id) {
    Optional<Lead> lead = lead(id);
    if (lead.isEmpty() || common.isEmpty()) {
      return List.of();
    }
    Set<FlowRule> needed =
        pairRules.of(List.of(lead.get()), common.get()).stream()
            .map(placed -> placed.rule)
            .collect(Collectors.toSet());
    return wanted.stream()
        .map(placed -> placed.rule)
        .filter(needed::contains)
        .collect(Collectors.toUnmodifiableList());
  }

  private void begin() {
    if (isChanging()) {
      return; // What is wanted is looked at again when this change is done.
    }
    common = leads.isEmpty() ? Optional.empty() : Optional.of(commonPath());
    Set<FlowRule> before = rulesOf(wanted);
    wanted = common.map(path -> pairRules.of(leads.values(), path)).orElse(List.of());
    Optional<Unserved> full = budget.take(inForce.keySet(), wanted);
    if (full.isPresent()) {
      refuse(full.get());
      return;
    }
    RuleChange change = RuleChange.between(inForce, doubtful, wanted, sharing());
    changing = true;
    wanted.forEach(placed -> unclaimed.remove(placed.rule));
    // From here on the switches may hold them, whatever they answer.
    change.stages.forEach(stage -> stage.forEach(this::begun));
    Map<ConversationId, Lead> concerned = new TreeMap<>(leads);
    concerned.keySet().retainAll(unsettled);
    writer
        .write(change.stages)
        .thenAccept(failed -> worker.execute(() -> ended(change, before, concerned, failed)));
  }

  private static Set<FlowRule> rulesOf(Collection<PlacedRule> placed) {
    return placed.stream().map(one -> one.rule).collect(Collectors.toSet());
  }

  private Set<TrafficSelector> sharing() {
    return leads.values().stream()
        .filter(lead -> !lead.isApart() && common.filter(lead.path()::equals).isPresent())
        .flatMap(lead -> ConversationMatch.all(lead.conversation()).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private Path commonPath() {
    return PairRules.common(leads.values(), common);
  }

  private void begun(FlowRuleOperation operation) {
    if (operation.type() == FlowRuleOperation.Type.ADD) {
      doubtful.remove(operation.rule());
      inForce.remove(operation.rule());
      inForce.put(operation.rule(), operation.rule());
    }
  }

  /**
   * @param before what was wanted until then: packets may still need it, and what was of no use
   *     even then they need no longer than they did
   * @param concerned who waited for this change; whoever is to be led otherwise since then waits on
   */
  private void ended(
      RuleChange change,
      Set<FlowRule> before,
      Map<ConversationId, Lead> concerned,
      Set<FlowRule> failed) {
    changing = false;
    if (failed.isEmpty()) {
      change.stages.forEach(stage -> stage.forEach(this::done));
      unsettled.removeIf(id -> lead(id).equals(Optional.ofNullable(concerned.get(id))));
      renewals.forget(concerned.keySet());
      List<FlowRule> retired =
          change.retired.stream()
              .filter(rule -> !unclaimed.contains(rule))
              .filter(rule -> before.contains(rule) || !draining.containsKey(rule))
              .collect(Collectors.toList());
      if (!retired.isEmpty()) {
        retire(retired, DRAIN);
      }
      removeOverdue();
      if (!changing && (!unsettled.isEmpty() || isOutdated())) {
        begin();
      }
      settle();
      return;
    }
    change.stages.forEach(stage -> stage.forEach(operation -> doubtful.add(operation.rule())));
    unsettled.retainAll(leads.keySet());
    concerned.keySet().stream().filter(leads::containsKey).forEach(unsettled::add);
    if (renewals.ask(whoseMeterMayBeGone(failed), this::begin)) {
      begin();
      return;
    }
    FlowRule one = failed.iterator().next();
    refuse(Unserved.of(Unserved.Code.RULE_REFUSED, one.deviceId()));
    removeOverdue();
  }

  private List<ConversationId> whoseMeterMayBeGone(Set<FlowRule> failed) {
    return unsettled.stream()
        .filter(
            id ->
                rulesOf(id).stream()
                    .anyMatch(
                        rule -> failed.contains(rule) && !rule.treatment().meters().isEmpty()))
        .collect(Collectors.toUnmodifiableList());
  }

  private boolean isOutdated() {
    Collection<PlacedRule> now =
        leads.isEmpty() ? List.of() : pairRules.of(leads.values(), commonPath());
    return !RuleChange.isNone(wanted, now);
  }

  private void done(FlowRuleOperation operation) {
    if (operation.type() == FlowRuleOperation.Type.REMOVE
        && inForce.remove(operation.rule()) != null) {
      doubtful.remove(operation.rule());
      budget.giveBack(operation.rule());
      if (!writer.isThere(operation.rule())) {
        stays(Set.of(operation.rule()));
      }
    }
  }

  /** A switch may hold them yet, since it is gone or has not answered. */
  private void stays(Collection<FlowRule> rules) {
    for (FlowRule rule : rules) {
      if (inForce.putIfAbsent(rule, rule) == null) {
        budget.count(rule);
      }
      doubtful.add(rule);
    }
    if (!rules.isEmpty()) {
      retire(List.copyOf(rules), AGAIN);
    }
  }

  /** Whoever is not led yet is left to default forwarding. */
  private void refuse(Unserved why) {
    List<ConversationId> left = List.copyOf(unsettled);
    unsettled.clear();
    renewals.forget(left);
    left.forEach(leads::remove);
    left.forEach(id -> refused.accept(id, why));
    if (!left.isEmpty()) {
      begin();
    }
    settle();
  }

  private void retire(List<FlowRule> rules, Duration when) {
    rules.forEach(rule -> draining.merge(rule, 1, Integer::sum));
    worker.after(when, () -> drop(rules));
  }

  private void drop(List<FlowRule> retired) {
    for (FlowRule rule : retired) {
      boolean retiredAgain =
          draining.computeIfPresent(rule, (r, clocks) -> clocks > 1 ? clocks - 1 : null) != null;
      if (!retiredAgain) {
        overdue.add(rule);
      }
    }
    removeOverdue();
  }

  /** Between two changes, also where one follows the other all the time. */
  private void removeOverdue() {
    if (changing) {
      return;
    }
    Set<FlowRule> now = rulesOf(wanted);
    List<FlowRule> removals = new ArrayList<>();
    for (FlowRule rule : overdue) {
      boolean retiredAgain = draining.containsKey(rule);
      if (!retiredAgain && !now.contains(rule) && inForce.remove(rule) != null) {
        doubtful.remove(rule);
        budget.giveBack(rule);
        removals.add(rule);
      }
    }
    overdue.clear();
    if (!removals.isEmpty()) {
      changing = true;
      writer
          .remove(removals)
          .thenAccept(
              left ->
                  worker.execute(
                      () -> {
                        changing = false;
                        stays(left);
                        begin();
                      }));
    }
  }

  private void settle() {
    if (!changing && unsettled.isEmpty()) {
      List<Runnable> now = List.copyOf(waiting);
      waiting.clear();
      Each.of(now, Runnable::run);
    }
  }
}
