package org.paceline.control.rollout;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.borrowing.Loans;
import org.paceline.control.borrowing.Pools;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.inventory.Roster;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.planning.Plan;
import org.paceline.control.planning.PlanDifference;
import org.paceline.control.planning.PlanningResult;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.port.RateSender;
import org.paceline.control.queues.QueueRollout;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.work.Each;
import org.paceline.control.work.Faults;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * From plans to rates ({@link Rollout}, {@link Delivery}) and paths ({@link Steering}), or, in
 * {@link PlanMode#SHADOW}, to nothing at all. Belongs to the worker's thread.
 */
public final class Execution {
  private final PlannerPorts ports;
  private final RateSender rates;
  private final ProofBook book;
  private final Roster roster;
  private final Supplier<PlannerSettings> settings;
  private final Rollout rollout;
  private final Delivery delivery;
  private final Steering steering;
  private final QueueRollout queues;
  private final Faults faults;
  private boolean released;

  /**
   * @param rates to whom rates are told
   */
  public Execution(
      PlannerPorts ports,
      RateSender rates,
      ProofBook book,
      Roster roster,
      Supplier<PlannerSettings> settings) {
    this.ports = ports;
    this.rates = rates;
    this.book = book;
    this.roster = roster;
    this.settings = settings;
    this.rollout =
        new Rollout(
            rates,
            ports.journal(),
            this::lead,
            ports.worker()::execute,
            this::advanceSoon,
            this::keepsApart);
    this.delivery = new Delivery(ports, rollout, settings, roster.conversations());
    this.steering = new Steering(ports.paths());
    this.queues = new QueueRollout(ports);
    this.faults = new Faults(ports.journal());
  }

  private boolean isShadow() {
    return settings.get().mode() == PlanMode.SHADOW;
  }

  public void sees(NetworkState state) {
    rollout.limitTo(state.network(), settings.get().usable(state.network()));
    steering.sees(state.network());
  }

  public long nextVersion() {
    return rollout.nextVersion();
  }

  /** From now on these come on top of the grants. */
  public void lend(Loans loans) {
    rollout.lend(loans);
  }

  /** From now on these may borrow at the kernel's speed. */
  public void pool(Pools pools) {
    rollout.pool(pools);
  }

  /**
   * Makes the plan true, step by step.
   *
   * @param sinceTheOneBefore what it changes
   */
  public void carryOut(Plan plan, PlanDifference sinceTheOneBefore, PlanningResult result) {
    if (isShadow()) {
      released = true;
      queues.want(Map.of());
      return;
    }
    Directives wanted = plan.directives();
    // What was carried out before shadow mode has been withdrawn.
    PlanDifference difference =
        released ? PlanDifference.between(Plan.EMPTY, plan) : sinceTheOneBefore;
    queues.want(wanted.queues());
    difference.ended().forEach(id -> roster.find(id).ifPresent(steering::release));
    plan.unserved().keySet().stream()
        .filter(id -> !wanted.paces().containsKey(id))
        .forEach(rollout::ended);
    rollout.aimAt(
        wanted,
        steering.changed(wanted.routes(), difference, roster.conversations()),
        roster.conversations(),
        (conversation, path) -> unled(conversation, path, result.routes()));
    if (released) {
      released = false;
      takeUpAgain(plan);
    }
    delivery.advance();
  }

  /** After a time of shadow hosts hold other rates than when their conversations came. */
  private void takeUpAgain(Plan plan) {
    plan.unserved().keySet().forEach(id -> refuse(plan, id));
    Set<ConversationId> enforced = plan.directives().paces().keySet();
    enforced.forEach(
        id ->
            book.find(id).flatMap(Proof::installed).ifPresent(rate -> rollout.observed(id, rate)));
    letGo(
        roster.conversations().values().stream()
            .filter(c -> !enforced.contains(c.id()) && isUnlimited(c))
            .collect(Collectors.toUnmodifiableList()));
  }

  /** Who gets nothing learns why, unless everybody sends as it likes. */
  public void refuse(Plan plan, ConversationId id) {
    if (!isShadow()) {
      roster
          .find(id)
          .ifPresent(
              c ->
                  Optional.ofNullable(plan.unserved().get(id))
                      .ifPresent(
                          why -> {
                            if (!plan.directives().paces().containsKey(id)) {
                              rates.release(c);
                            }
                            rates.refuse(c, why);
                          }));
    }
  }

  /** Takes everything back that was carried out: rates, rules, meters and queues. */
  public void withdraw() {
    released = true;
    queues.withdraw();
    rollout.aimAt(Directives.NONE, Set.of(), Map.of(), (conversation, path) -> Set.of());
    Collection<Conversation> all = roster.conversations().values();
    for (Conversation conversation : all) {
      ended(conversation);
      book.change(
          conversation.id(),
          p -> {
            p.installedAt(Optional.empty());
            if (conversation.isMetered()) {
              p.installed(DataRate.ZERO);
            }
            if (p.build().state() == ConversationState.GRANTED) {
              p.state(ConversationState.RECOMMENDED);
            }
          });
    }
    letGo(all);
    ports
        .journal()
        .note(
            "Shadow mode: "
                + all.size()
                + " conversations are let go. Plans are made and shown, and nothing is enforced.");
  }

  private void letGo(Collection<Conversation> conversations) {
    Map<String, List<Conversation>> byHost =
        conversations.stream()
            .filter(c -> !c.isMetered())
            .collect(Collectors.groupingBy(c -> c.id().host(), TreeMap::new, Collectors.toList()));
    byHost.forEach((host, all) -> rates.takeBack(host, rollout.nextVersion(), all));
  }

  private boolean isUnlimited(Conversation conversation) {
    return book.find(conversation.id())
        .flatMap(Proof::installed)
        .filter(PlannerSettings::isUnlimited)
        .isPresent();
  }

  /** What was told before shadow began, or came across its beginning, is taken back, too. */
  public void opened(Collection<Conversation> conversations) {
    if (isShadow()) {
      letGo(
          conversations.stream()
              .filter(c -> !PlannerSettings.isUnlimited(c.rateInForce()))
              .collect(Collectors.toUnmodifiableList()));
    }
  }

  public void matchedOtherwise(Conversation conversation) {
    steering.matchedOtherwise(conversation);
  }

  /** Others hold them from now on: these are told their rates, and led to. */
  public void heldOtherwise(List<Conversation> conversations) {
    conversations.forEach(rollout::heldOtherwise);
    advance();
  }

  public void ended(Conversation conversation) {
    Each.of(
        List.<Runnable>of(
            () -> rollout.ended(conversation.id()),
            () -> steering.release(conversation),
            () -> rates.release(conversation)),
        Runnable::run);
  }

  /** The agent is here again, and holds what a plan of this version said. */
  public void attached(String host, long installedVersion) {
    rollout.continueFrom(installedVersion);
    rollout.restart(host);
  }

  public void acknowledged(
      String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
    delivery.acknowledged(host, version, rates, pools);
  }

  /** Whether the rate that was read back is not the one that was told. */
  public boolean observed(ConversationId id, DataRate rate) {
    return rollout.observed(id, rate);
  }

  /** A report may show that a rate was lost on the host, or a word of ours: it is told again. */
  public void reported(List<Counters> counters) {
    if (isShadow()) {
      letGo(
          counters.stream()
              .filter(c -> c.installed().bitsPerSecond() > 0)
              .filter(c -> !PlannerSettings.isUnlimited(c.installed()))
              .flatMap(c -> roster.find(c.id()).stream())
              .collect(Collectors.toUnmodifiableList()));
    }
    advance();
  }

  /** Tells what has changed since. */
  void advance() {
    delivery.advance();
  }

  private void advanceSoon() {
    delivery.advanceSoon();
  }

  /** The greatest sum of rates that conversations can be sending over the link at this moment. */
  public DataRate possibleLoad(LinkId link) {
    return rollout.possibleLoad(link);
  }

  /** Repairs the queues of ports; those that cannot be put right. */
  List<Alarm> lookAtQueues() {
    return queues.look();
  }

  private CompletableFuture<Void> lead(ConversationId id, Path path) {
    if (!rollout.isApart(id, path)) {
      return leadBy(id, conversation -> steering.lead(conversation, path));
    }
    // Only where the path's ports have their queues: elephants are not to meet others before.
    Function<Conversation, CompletableFuture<Void>> apart =
        conversation -> steering.leadApart(conversation, path);
    CompletableFuture<Void> ready = queues.ready(path.hops());
    return ready.isDone() ? leadBy(id, apart) : ready.thenCompose(done -> leadBy(id, apart));
  }

  private boolean keepsApart(Path path) {
    return queues.keepApart(path.hops());
  }

  private CompletableFuture<Void> leadBy(
      ConversationId id, Function<Conversation, CompletableFuture<Void>> how) {
    try {
      return roster.find(id).map(how).orElseGet(() -> CompletableFuture.completedFuture(null));
    } catch (RuntimeException | Error bug) {
      // Whoever waits for it must not wait for good. What switches lack is read back, and repaired.
      faults.write("Conversation " + id + " could not be led", bug);
      return CompletableFuture.failedFuture(bug);
    }
  }

  /** Where a newcomer's packets are; those that nobody holds at all count where they will be. */
  private static Set<LinkId> unled(Conversation conversation, Path path, Routes routes) {
    return PathChanges.links(
        conversation.enforcement() != Enforcement.AGENT
            ? path
            : routes.quickest(path.from(), path.to()).orElse(path));
  }
}
