package org.paceline.onos.meter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;
import org.paceline.allocator.Guarded;
import org.paceline.control.directive.Meter;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.FirstHopLimiter;
import org.paceline.control.port.InstalledState;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.PassedMeter;

/**
 * Limits a sender at its first switch by a drop meter, through which the conversation's rule there
 * leads: first the meter, then the rule. A changed rate changes the meter where it is. Where the
 * switch cannot do that it is a new meter, and the old one goes when the rule no longer refers to
 * it.
 *
 * <p>Who is of a group shares the meter of the group instead ({@link SharedMeters}).
 *
 * <p>Belongs to the worker's thread.
 */
public final class FirstHopMeters implements FirstHopLimiter, InstalledState {
  /** Removing a meter removes the rules that refer to it: it waits for their removal. */
  private static final Duration UNUSED = Duration.ofMillis(1_500);

  /** Gets what the switches confirmed. */
  public interface Acknowledgement {
    void installed(String host, long version, List<InstalledRate> rates);
  }

  private final DropMeters meters;
  private final ConversationRules rules;
  private final MeterQuota quota;
  private final Worker worker;
  private final Acknowledgement acknowledgement;
  private final Consumer<List<Counters>> counted;
  private final BiConsumer<ConversationId, Unserved> refused;
  private final Map<ConversationId, Limit> limits = new HashMap<>();
  private final Map<ConversationId, Limit.MissingNet> missing = new HashMap<>();

  /** What is not confirmed yet: whoever asks for the same rate again waits for it, too. */
  private final Map<ConversationId, CompletableFuture<Limit.Outcome>> underWay = new HashMap<>();

  private final MeterTotals totals = new MeterTotals();
  private final SharedMeters shared;

  /** Whose counters are being read, for meters that change. */
  private final Set<DeviceId> isRead = new HashSet<>();

  /** When all were last asked what they have counted. */
  private Optional<Duration> lastCounted = Optional.empty();

  /**
   * @param counted is told, on the worker, what meters have counted
   * @param refused is told, on the worker, of a conversation that cannot be metered, and why
   */
  public FirstHopMeters(
      DropMeters meters,
      ConversationRules rules,
      Worker worker,
      Acknowledgement acknowledgement,
      Consumer<List<Counters>> counted,
      BiConsumer<ConversationId, Unserved> refused) {
    this.meters = meters;
    this.rules = rules;
    this.quota = meters.quota();
    this.worker = worker;
    this.acknowledgement = acknowledgement;
    this.counted = counted;
    this.refused = refused;
    this.shared = new SharedMeters(meters, rules, worker, new Sharing());
    rules.renewMetersBy(this::makeAgain);
  }

  /** What it means for all that meters are shared. */
  private final class Sharing implements SharedMeters.Owner {
    @Override
    public void refused(Conversation conversation, Unserved why) {
      refused.accept(conversation.id(), why);
    }

    @Override
    public void lost(Conversation conversation, Unserved why) {
      refuse(conversation, why);
    }

    @Override
    public void readCounters(DeviceId device) {
      FirstHopMeters.this.readCounters(device);
    }
  }

  @Override
  public void limit(String host, long version, Map<Conversation, Meter> wanted) {
    Map<Meter, CompletableFuture<Limit.Outcome>> outcomes = new LinkedHashMap<>();
    shared.together(
        () ->
            wanted.forEach(
                (conversation, meter) -> outcomes.put(meter, hold(conversation, meter))));
    CompletableFuture.allOf(outcomes.values().toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              List<InstalledRate> all = new ArrayList<>();
              outcomes.forEach(
                  (meter, outcome) -> installed(meter, outcome.join()).ifPresent(all::add));
              acknowledgement.installed(host, version, all);
              outcomes.forEach(
                  (meter, outcome) ->
                      outcome
                          .join()
                          .refusal
                          .ifPresent(why -> refused.accept(meter.conversation(), why)));
            });
  }

  /** By one meter until the other one holds it. */
  private CompletableFuture<Limit.Outcome> hold(Conversation conversation, Meter wanted) {
    ConversationId id = conversation.id();
    long kbps = DropMeters.kbps(wanted.rate());
    if (wanted.group().isPresent()) {
      return shared
          .limit(conversation, wanted.group().get(), kbps)
          .thenApply(
              outcome -> {
                if (outcome == Limit.Outcome.DONE) {
                  drop(id);
                }
                return outcome;
              });
    }
    if (!shared.has(id)) {
      return limit(conversation, kbps);
    }
    shared.willLeave(id);
    return limit(conversation, kbps)
        .thenCompose(
            outcome ->
                outcome == Limit.Outcome.DONE
                    ? shared.leave(id).thenApply(left -> outcome)
                    : CompletableFuture.completedFuture(outcome));
  }

  /** Empty for who was overtaken: the newer batch tells of it. */
  private static Optional<InstalledRate> installed(Meter meter, Limit.Outcome outcome) {
    DataRate holds =
        outcome.refusal.isEmpty()
            ? DataRate.ofKilobitsPerSecond(meter.rate().toKbpsFloor())
            : DataRate.ZERO;
    return outcome.isOvertaken
        ? Optional.empty()
        : Optional.of(
            InstalledRate.of(
                meter.conversation(), holds, outcome.refusal.map(Unserved::reason).orElse("")));
  }

  /**
   * Its conversation is served without the net, too; that it is missing is read back, and it is
   * tried again.
   */
  @Override
  public void guard(Conversation conversation, DataRate rate) {
    Limit now = limits.get(conversation.id());
    long kbps = DropMeters.kbps(rate);
    // A net need not be tight, and each change costs messages and, at some switches, a full burst.
    if (now == null || now.kbps < kbps || now.kbps > 2 * kbps) {
      guard(conversation, kbps);
    }
  }

  @Override
  public void unguard(Conversation conversation) {
    rules.meter(conversation, Optional.empty());
    release(conversation);
  }

  private void guard(Conversation conversation, long kbps) {
    limit(conversation, kbps)
        .thenAccept(
            outcome -> {
              if (outcome.refusal.isPresent()) {
                missing.put(
                    conversation.id(),
                    new Limit.MissingNet(conversation, kbps, outcome.refusal.get().reason()));
              } else if (!outcome.isOvertaken) {
                missing.remove(conversation.id());
              }
            });
  }

  /** Completes on the worker. */
  private CompletableFuture<Limit.Outcome> limit(Conversation conversation, long kbps) {
    Optional<DeviceId> first = rules.firstSwitch(conversation);
    if (first.isEmpty()) {
      return CompletableFuture.completedFuture(
          Limit.Outcome.refused(Unserved.of(Unserved.Code.NO_FIRST_SWITCH)));
    }
    DeviceId device = first.get();
    Limit before = limits.get(conversation.id());
    if (before != null && before.device.equals(device) && before.kbps == kbps) {
      return underWay.getOrDefault(
          conversation.id(), CompletableFuture.completedFuture(Limit.Outcome.DONE));
    }
    if (before == null || !before.device.equals(device)) {
      Optional<Unserved> none = quota.take(device);
      if (none.isPresent()) {
        return CompletableFuture.completedFuture(Limit.Outcome.refused(none.get()));
      }
    }
    Limit wanted = Limit.wanted(conversation, device, kbps, Optional.ofNullable(before));
    return wanted
        .held()
        .filter(held -> held.device.equals(device))
        .map(held -> change(wanted, held.meter.orElseThrow()))
        .orElseGet(() -> make(wanted));
  }

  /** Of several changes that are on their way the last holds: a switch takes them in order. */
  private CompletableFuture<Limit.Outcome> change(Limit limit, MeterId meter) {
    limits.put(limit.conversation.id(), limit);
    readCountersOf(limit);
    return waitedFor(
        limit,
        meters
            .change(limit.device, meter, limit.kbps)
            .thenCompose(
                changed -> {
                  readCountersOf(limit);
                  return isOver(limit)
                      ? CompletableFuture.completedFuture(Limit.Outcome.OVERTAKEN)
                      : changed ? hold(limit, meter) : make(limit);
                }));
  }

  /**
   * Some switches count from nothing again when a meter is changed, Open vSwitch among them: so its
   * counters are read right before that and right after. One question is for all that change
   * together.
   */
  private void readCountersOf(Limit limit) {
    if (limit.conversation.isMetered()) {
      readCounters(limit.device);
    }
  }

  private void readCounters(DeviceId device) {
    if (isRead.add(device)) {
      meters
          .count(device)
          .thenAccept(
              counts -> {
                isRead.remove(device);
                taken(device, counts);
              });
    }
  }

  private void taken(DeviceId device, Map<Long, MeterCount> counts) {
    totals.read(device, counts);
    shared.read(device, counts);
  }

  private CompletableFuture<Limit.Outcome> make(Limit limit) {
    limits.put(limit.conversation.id(), limit);
    return waitedFor(
        limit, meters.make(limit.device, limit.kbps).thenCompose(made -> made(limit, made)));
  }

  private CompletableFuture<Limit.Outcome> waitedFor(
      Limit limit, CompletableFuture<Limit.Outcome> ordered) {
    ConversationId id = limit.conversation.id();
    CompletableFuture<Limit.Outcome> outcome = ordered.exceptionally(bug -> failed(limit, bug));
    underWay.put(id, outcome);
    outcome.whenComplete((done, fault) -> underWay.remove(id, outcome));
    return outcome;
  }

  private CompletableFuture<Limit.Outcome> made(Limit limit, DropMeters.Made made) {
    if (made.meter.isEmpty()) {
      giveUp(limit);
      return CompletableFuture.completedFuture(
          Limit.Outcome.refused(
              Unserved.of(Unserved.Code.METER_REFUSED, limit.device, made.problem)));
    }
    MeterId meter = made.meter.get();
    if (limit.conversation.isMetered()) {
      totals.made(limit.device, meter, limit.conversation.id());
    }
    if (isOver(limit)) {
      withdrawLater(limit.by(meter));
      return CompletableFuture.completedFuture(Limit.Outcome.OVERTAKEN);
    }
    return hold(limit, meter);
  }

  /** Overtaken by a newer rate, or its conversation has ended. */
  private boolean isOver(Limit limit) {
    return limits.get(limit.conversation.id()) != limit;
  }

  private CompletableFuture<Limit.Outcome> hold(Limit limit, MeterId meter) {
    Limit held = limit.by(meter);
    limits.put(limit.conversation.id(), held);
    return lead(limit, held)
        .thenApply(
            led -> {
              retireFormer(limit, held);
              return led
                  ? Limit.Outcome.DONE
                  : Limit.Outcome.refused(Unserved.of(Unserved.Code.METER_RULE_REFUSED));
            });
  }

  /**
   * Where that throws, a meter that was changed stays as it is now. Else what held before holds
   * again, and goes with its conversation.
   */
  private CompletableFuture<Boolean> lead(Limit limit, Limit held) {
    try {
      return rules.meter(
          limit.conversation, held.meter.map(meter -> PassedMeter.of(meter, held.kbps)));
    } catch (RuntimeException | Error bug) {
      boolean isNew = limit.held().filter(held::isBySameMeterAs).isEmpty();
      if (isNew && limits.replace(limit.conversation.id(), held, limit)) {
        withdrawLater(held);
      } else {
        retireFormer(limit, held);
      }
      return CompletableFuture.failedFuture(bug);
    }
  }

  /** As a meter that its switch refuses: it is tried again after a while. */
  private Limit.Outcome failed(Limit limit, Throwable bug) {
    giveUp(limit);
    worker.execute(
        () -> {
          throw new IllegalStateException("A meter could not be put in force.", bug);
        });
    return Limit.Outcome.refused(
        Unserved.of(Unserved.Code.METER_REFUSED, limit.device, Guarded.reason(bug)));
  }

  private void giveUp(Limit limit) {
    ConversationId id = limit.conversation.id();
    if (limits.get(id) == limit) {
      limits.remove(id);
      limit.former.ifPresent(old -> limits.put(id, old));
      if (limit.former.filter(old -> old.device.equals(limit.device)).isEmpty()) {
        quota.giveBack(limit.device);
      }
    }
  }

  /**
   * All before it: where rates change faster than meters are made, there are several.
   *
   * @param now whose meter may be one of theirs, changed
   */
  private void retireFormer(Limit limit, Limit now) {
    limit.former.ifPresent(
        old -> {
          if (!old.device.equals(limit.device)) {
            quota.giveBack(old.device);
          }
          if (!old.isBySameMeterAs(now)) {
            withdrawLater(old);
          }
          retireFormer(old, now);
        });
  }

  private void withdrawLater(Limit limit) {
    worker.after(UNUSED, () -> withdraw(limit));
  }

  private void withdraw(Limit limit) {
    limit.meter.ifPresent(
        id -> {
          meters.withdraw(limit.device, id, limit.kbps);
          totals.withdrawn(limit.device, id);
        });
  }

  @Override
  public void release(Conversation conversation) {
    missing.remove(conversation.id());
    shared.leave(conversation.id());
    totals.ended(conversation.id());
    drop(conversation.id());
  }

  /** Its meter is no longer used. */
  private void drop(ConversationId id) {
    underWay.remove(id);
    Limit limit = limits.remove(id);
    if (limit != null) {
      quota.giveBack(limit.device);
      withdrawLater(limit);
      retireFormer(limit, limit);
    }
  }

  /** How many meters conversations have at a switch. */
  public int used(DeviceId device) {
    return quota.used(device);
  }

  @Override
  public CompletableFuture<Map<ConversationId, List<InstalledElement>>> read() {
    // What is held now; it may be another meter when the switches have answered.
    Map<ConversationId, Limit> held = Map.copyOf(limits);
    Map<ConversationId, Limit.MissingNet> lacking = Map.copyOf(missing);
    Map<ConversationId, SharedPart> parts = shared.held();
    Set<DeviceId> devices = new HashSet<>(shared.devices());
    held.values().forEach(limit -> devices.add(limit.device));
    return meters
        .read(devices)
        .thenApply(
            reading -> {
              Map<ConversationId, List<InstalledElement>> found = new HashMap<>();
              parts.forEach((id, part) -> found.put(id, List.of(part.element(reading))));
              held.forEach((id, limit) -> found.put(id, List.of(limit.element(reading))));
              lacking.forEach((id, net) -> found.put(id, List.of(net.element())));
              return found;
            });
  }

  /**
   * Tells of each switch that answers what its meters have counted for those whom nobody else
   * counts: one question a switch. What an agent paces its agent counts.
   */
  @Override
  public CompletableFuture<Void> count() {
    lastCounted = Optional.of(worker.now());
    Set<DeviceId> devices = new HashSet<>(totals.devices());
    devices.addAll(shared.devices());
    return CompletableFuture.allOf(
        devices.stream().map(this::count).toArray(CompletableFuture[]::new));
  }

  /** Unless they were asked within so long: a scheme asks when it goes by what they say. */
  public void countUnlessWithin(Duration pause) {
    if (lastCounted.filter(last -> last.plus(pause).compareTo(worker.now()) > 0).isEmpty()) {
      count();
    }
  }

  private CompletableFuture<Void> count(DeviceId device) {
    return meters
        .count(device)
        .thenAccept(
            counts -> {
              if (!counts.isEmpty()) {
                taken(device, counts);
                List<Counters> counters = counters(device);
                if (!counters.isEmpty()) {
                  counted.accept(counters);
                }
              }
            });
  }

  private List<Counters> counters(DeviceId device) {
    List<Counters> counters = new ArrayList<>();
    for (ConversationId id : totals.countedBy(device)) {
      Optional<Limit> held = Optional.ofNullable(limits.get(id)).flatMap(Limit::held);
      totals
          .of(id)
          .flatMap(total -> held.map(limit -> counters(id, total, limit.kbps)))
          .ifPresent(counters::add);
    }
    shared
        .divide(device, totals)
        .forEach(
            (id, kbps) ->
                totals
                    .of(id)
                    .filter(total -> !limits.containsKey(id))
                    .ifPresent(total -> counters.add(counters(id, total, kbps))));
    return counters;
  }

  private static Counters counters(ConversationId id, MeterCount total, long kbps) {
    return Counters.of(
            id,
            total.sentBytes(),
            total.droppedPackets(),
            1,
            DataRate.ofKilobitsPerSecond(kbps),
            Map.of(),
            Optional.empty())
        .inPackets(total.sentPackets());
  }

  /** By a new meter, of which ONOS remembers the right rate. */
  @Override
  public void repair(ConversationId id, InstalledElement element) {
    Limit limit = limits.get(id);
    Limit.MissingNet net = missing.get(id);
    if (limit == null && shared.repair(id, element.at())) {
      return;
    }
    if (net != null) {
      guard(net.conversation, net.kbps);
    } else if (limit != null
        && limit.meter.isPresent()
        && limit.device.toString().equals(element.at())) {
      replace(limit);
    }
  }

  /** Where its switch may have lost the meter that its rule leads to. */
  private boolean makeAgain(ConversationId id) {
    Limit limit = limits.get(id);
    if (limit == null) {
      return shared.makeAgain(id);
    }
    // Without a meter yet, one is on its way.
    if (limit.meter.isPresent()) {
      replace(limit)
          .thenAccept(outcome -> outcome.refusal.ifPresent(why -> refuse(limit.conversation, why)));
    }
    return true;
  }

  private CompletableFuture<Limit.Outcome> replace(Limit limit) {
    return make(Limit.wanted(limit.conversation, limit.device, limit.kbps, Optional.of(limit)));
  }

  /** Whom its agent paces is led without a net, which is missing then; others are not served. */
  private void refuse(Conversation conversation, Unserved why) {
    if (conversation.isMetered()) {
      refused.accept(conversation.id(), why);
    }
    rules.meter(conversation, Optional.empty());
  }
}
