package org.paceline.onos.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.PathInstaller;
import org.paceline.control.port.Worker;
import org.paceline.control.rollout.MeterRenewals;
import org.paceline.control.work.Each;
import org.paceline.control.work.GrowingPause;
import org.paceline.control.work.Upkeep;
import org.paceline.intents.network.Path;

/**
 * Leads each conversation along its path, and at its first switch through its meter where it has
 * one. A new way is complete before packets take it, and an old one stays until they have arrived.
 *
 * <p>Belongs to the worker's thread.
 */
public final class ConversationRules implements PathInstaller, AutoCloseable {
  private static final Duration COALESCE = Duration.ofMillis(50);

  /** A rule comes back with an old answer; ONOS writes it to its switch with a later one. */
  private static final Duration MAY_BE_BACK_AFTER = Duration.ofSeconds(3);

  /** Who has meters that are not for every path. */
  public interface MeterMoves {
    /**
     * Asked on the worker before a conversation that is led is led along a path.
     *
     * @param onto leads it there through this meter of its first switch; completes with whether it
     *     is led so
     * @return completes when it is led, or cannot be; empty where it takes the meter that it has
     *     along
     */
    Optional<CompletableFuture<Void>> move(
        Conversation conversation,
        Path path,
        Function<PassedMeter, CompletableFuture<Boolean>> onto);
  }

  private final OwnRules rules;
  private final NextHops nextHops;
  private final PairRules pairRules;
  private final StagedWriter writer;
  private final TableBudget budget;
  private final Treatment treatment;
  private final BooleanSupplier metersEverybody;
  private final Worker worker;
  private final BiConsumer<ConversationId, Unserved> refused;
  private final Leftovers leftovers;
  private final Map<HostPair, PairRoutes> pairs = new HashMap<>();
  private final Upkeep moves;
  private final Upkeep treatments;
  private final Upkeep returns;
  private Predicate<ConversationId> meterAgain = id -> false;
  private MeterMoves meterMoves = (conversation, path, onto) -> Optional.empty();
  private boolean tidying;

  /**
   * @param metersEverybody whether those that agents pace pass a meter at their first switch, too
   * @param limit how many rules conversations may have on a switch
   * @param refused is told, on the worker, of a conversation that the switches cannot lead, and why
   */
  public ConversationRules(
      OwnRules rules,
      NextHops nextHops,
      Treatment treatment,
      BooleanSupplier metersEverybody,
      ToIntFunction<DeviceId> limit,
      Worker worker,
      BiConsumer<ConversationId, Unserved> refused) {
    this.rules = rules;
    this.nextHops = nextHops;
    this.pairRules = new PairRules(rules.app(), nextHops, treatment);
    this.writer = new StagedWriter(rules, worker, this::removed);
    this.leftovers = new Leftovers(rules);
    this.budget = new TableBudget(limit);
    this.treatment = treatment;
    this.metersEverybody = metersEverybody;
    this.worker = worker;
    this.refused = refused;
    this.moves =
        new Upkeep(
            worker,
            COALESCE,
            "Conversations' rules do not follow what has moved.",
            this::lookForMoves);
    this.treatments =
        new Upkeep(
            worker,
            Duration.ZERO,
            "Conversations' rules do not treat packets as set.",
            () -> Each.of(pairs.values(), PairRoutes::refresh));
    this.returns =
        new Upkeep(
            worker,
            MAY_BE_BACK_AFTER,
            "Rules that were removed and have come back stay.",
            this::lookForReturns);
  }

  /**
   * Whom to ask where a switch refuses a rule that leads to a meter, which it may have lost.
   *
   * @param again asked on the worker; has the conversation led through a new meter ({@link
   *     #meter}), or says false where there is none to be made again
   */
  public void renewMetersBy(Predicate<ConversationId> again) {
    meterAgain = again;
  }

  /** Whom to ask for a meter before a conversation is led along another path. */
  public void moveMetersBy(MeterMoves moves) {
    meterMoves = moves;
  }

  /** Whether a rule leads conversations, whoever wrote it. */
  public static boolean isOurs(FlowRule rule) {
    return PairRules.isOurs(rule);
  }

  /** Writes nothing more. */
  @Override
  public void close() {
    writer.close();
  }

  @Override
  public boolean leadsEverybody() {
    return treatment.isApart() || metersEverybody.getAsBoolean();
  }

  @Override
  public CompletableFuture<Void> install(Conversation conversation, Path path) {
    return install(conversation, path, lead -> lead);
  }

  @Override
  public CompletableFuture<Void> installApart(Conversation conversation, Path path) {
    return install(conversation, path, Lead::apart);
  }

  private CompletableFuture<Void> install(
      Conversation conversation, Path path, UnaryOperator<Lead> how) {
    if (!ConversationMatch.isPossible(conversation)) {
      return CompletableFuture.completedFuture(null);
    }
    tidy();
    Optional<Lead> before = lead(conversation);
    Lead wanted = how.apply(Lead.of(conversation, path, before.flatMap(Lead::meter)));
    return before
        .flatMap(led -> meterMoves.move(conversation, path, meter -> onto(wanted, meter)))
        .orElseGet(() -> put(wanted));
  }

  private CompletableFuture<Void> put(Lead wanted) {
    CompletableFuture<Void> led = new CompletableFuture<>();
    PairRoutes pair = pair(HostPair.of(wanted.conversation()));
    pair.put(wanted);
    pair.whenSettled(() -> led.complete(null));
    return led;
  }

  /** Unless it is led no more by the time that it has a meter there. */
  private CompletableFuture<Boolean> onto(Lead wanted, PassedMeter meter) {
    Optional<Lead> now = lead(wanted.conversation());
    if (now.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    Conversation conversation = now.get().conversation();
    return put(wanted.by(conversation).through(Optional.of(meter)))
        .thenApply(done -> lead(conversation).flatMap(Lead::meter).isPresent());
  }

  @Override
  public void matchedOtherwise(Conversation conversation) {
    PairRoutes pair = pairs.get(HostPair.of(conversation));
    if (pair != null) {
      pair.lead(conversation.id()).ifPresent(lead -> pair.put(lead.by(conversation)));
    }
  }

  private PairRoutes pair(HostPair between) {
    return pairs.computeIfAbsent(
        between,
        p ->
            new PairRoutes(
                pairRules,
                writer,
                budget,
                worker,
                new MeterRenewals(id -> meterAgain.test(id), worker),
                refused));
  }

  /**
   * With the first way, and again and again: what switches hold that nobody knows of. Some may
   * come, or be read by ONOS, seconds after the others.
   */
  private void tidy() {
    if (!tidying) {
      tidying = true;
      worker.every(new GrowingPause()::next, this::adoptLeftovers);
      adoptLeftovers();
    }
  }

  private void adoptLeftovers() {
    removeWhatCameBack(); // First: it need not wait as what is adopted does.
    leftovers.find().forEach((between, rules) -> pair(between).adopt(rules));
    pairs.values().removeIf(PairRoutes::isIdle);
  }

  private void removed(Set<FlowRule> gone) {
    worker.execute(
        () -> {
          leftovers.removed(gone, worker.now());
          returns.ask();
        });
  }

  /** Again and again while anything may come back. */
  private void lookForReturns() {
    if (leftovers.mayComeBack(worker.now())) {
      returns.ask();
      removeWhatCameBack();
      pairs.values().removeIf(PairRoutes::isIdle);
    }
  }

  private void removeWhatCameBack() {
    leftovers.thereAgain().forEach((between, rules) -> pair(between).removeAgain(rules));
  }

  @Override
  public void remove(Conversation conversation) {
    PairRoutes pair = pairs.get(HostPair.of(conversation));
    if (pair != null) {
      pair.remove(conversation.id());
    }
    pairs.values().removeIf(PairRoutes::isIdle);
  }

  /**
   * Leads a conversation through a meter at its first switch, or through none; completes when the
   * switch confirmed, with false where the conversation is not led so.
   */
  public CompletableFuture<Boolean> meter(Conversation conversation, Optional<PassedMeter> meter) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    PairRoutes pair = pairs.get(HostPair.of(conversation));
    Optional<Lead> lead = pair == null ? Optional.empty() : pair.lead(conversation.id());
    if (pair == null || lead.isEmpty()) {
      done.complete(false);
      return done;
    }
    pair.meter(lead.get(), meter);
    // By then it may have another one: who asked for that asked later.
    pair.whenSettled(
        () ->
            done.complete(
                pair.lead(conversation.id())
                    .filter(now -> now.meter().isPresent() || meter.isEmpty())
                    .isPresent()));
    return done;
  }

  /** Managed packets are to be told from others, or kept apart, in another way. */
  public void treatmentChanged() {
    treatments.ask();
  }

  /** A host may be at another port of its switch, and a link, too. Any thread may say so. */
  public void networkChanged() {
    moves.ask();
  }

  private void lookForMoves() {
    if (nextHops.haveMoved()) {
      Each.of(pairs.values(), PairRoutes::refresh);
    }
  }

  /** The switch where a conversation's packets come in, where it is led. */
  public Optional<DeviceId> firstSwitch(Conversation conversation) {
    return lead(conversation)
        .flatMap(lead -> Crossing.of(lead.path()).stream().findFirst())
        .map(Crossing::device);
  }

  /** Of those that are led, the rules that take their packets, and theirs only, at that switch. */
  private List<FlowRule> firstRules(Conversation conversation) {
    PairRoutes pair = pairs.get(HostPair.of(conversation));
    Optional<DeviceId> first = firstSwitch(conversation);
    return pair == null || first.isEmpty()
        ? List.of()
        : pair.rulesOf(conversation.id()).stream()
            .filter(rule -> rule.deviceId().equals(first.get()))
            .filter(rule -> rule.priority() >= PairRules.OWN_PRIORITY)
            .collect(Collectors.toUnmodifiableList());
  }

  /**
   * Of each that has rules of its own at its first switch, these as ONOS last read them there. Each
   * switch's table is gone through once.
   */
  public Map<ConversationId, List<FlowEntry>> firstEntries(Collection<Conversation> some) {
    Map<DeviceId, Map<FlowRule, FlowEntry>> tables = new HashMap<>();
    Map<ConversationId, List<FlowEntry>> found = new HashMap<>();
    for (Conversation conversation : some) {
      List<FlowRule> own = firstRules(conversation);
      if (!own.isEmpty()) {
        Map<FlowRule, FlowEntry> table =
            tables.computeIfAbsent(own.get(0).deviceId(), this::entries);
        found.put(
            conversation.id(),
            own.stream()
                .flatMap(rule -> Optional.ofNullable(table.get(rule)).stream())
                .collect(Collectors.toUnmodifiableList()));
      }
    }
    return found;
  }

  private Map<FlowRule, FlowEntry> entries(DeviceId device) {
    Map<FlowRule, FlowEntry> entries = new HashMap<>();
    rules.service().getFlowEntries(device).forEach(entry -> entries.put(entry, entry));
    return entries;
  }

  /** The path that a conversation is led on, or to. */
  public Optional<Path> path(Conversation conversation) {
    return lead(conversation).map(Lead::path);
  }

  private Optional<Lead> lead(Conversation conversation) {
    return Optional.ofNullable(pairs.get(HostPair.of(conversation)))
        .flatMap(pair -> pair.lead(conversation.id()));
  }

  /** How many rules of conversations a switch holds. */
  public int used(DeviceId device) {
    return budget.used(device);
  }

  /** The rules that each conversation needs now; empty for those that are being changed. */
  Map<ConversationId, List<FlowRule>> wanted() {
    Map<ConversationId, List<FlowRule>> wanted = new LinkedHashMap<>();
    pairs
        .values()
        .forEach(
            pair ->
                pair.leads()
                    .forEach(
                        id ->
                            wanted.put(
                                id,
                                pair.isChanging()
                                    ? List.of()
                                    : new ArrayList<>(pair.rulesOf(id)))));
    return wanted;
  }
}
