package org.paceline.onos.meter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.control.work.Each;
import org.paceline.intents.network.Path;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.PassedMeter;

/**
 * Meters that several conversations pass ({@link SharedMeter}): those of one sub-class that take
 * the same way from the same first switch. A conversation whose sub-class or way changes passes
 * from one to another. It has a part of both until its rule leads to the other one, so that it is
 * held at each moment.
 *
 * <p>Belongs to the worker's thread.
 */
final class SharedMeters implements ConversationRules.MeterMoves {
  private final DropMeters meters;
  private final ConversationRules rules;
  private final Worker worker;
  private final Owner owner;
  private final Map<SharedMeter.Place, SharedMeter> open = new HashMap<>();

  /** By which each is to be held. */
  private final Map<ConversationId, SharedMeter> wanted = new HashMap<>();

  /** Of which each has a part. */
  private final Map<ConversationId, Set<SharedMeter>> parts = new HashMap<>();

  /** Of whom a meter is yet to be lowered, since another holds it. */
  private final Map<ConversationId, CompletableFuture<Void>> lowering = new HashMap<>();

  /** Who is to take another path as soon as it has a meter there. */
  private final Map<ConversationId, Move> moves = new HashMap<>();

  private final Map<ConversationId, RuleCounts> ruleCounts = new HashMap<>();

  /** What changes together is one change of each meter. */
  private final Set<SharedMeter> touched = new LinkedHashSet<>();

  private boolean isCollecting;

  /** Whom it tells, on the worker. */
  interface Owner {
    /** A conversation has no meter on the path that it was to take. It is held as before. */
    void refused(Conversation conversation, Unserved why);

    /** The meter that its rule leads to is lost, and there is none again. */
    void lost(Conversation conversation, Unserved why);

    /** Some switches count from nothing again when a meter is changed. */
    void readCounters(DeviceId device);
  }

  /** A conversation is to take another path through the meter there. */
  private static final class Move {
    final Path path;
    final Function<PassedMeter, CompletableFuture<Boolean>> onto;
    final CompletableFuture<Void> done = new CompletableFuture<>();

    Move(Path path, Function<PassedMeter, CompletableFuture<Boolean>> onto) {
      this.path = path;
      this.onto = onto;
    }
  }

  SharedMeters(DropMeters meters, ConversationRules rules, Worker worker, Owner owner) {
    this.meters = meters;
    this.rules = rules;
    this.worker = worker;
    this.owner = owner;
    rules.moveMetersBy(this);
  }

  private final class Meters implements SharedMeter.Owner {
    @Override
    public void touched(SharedMeter meter) {
      touch(meter);
    }

    @Override
    public boolean isLedElsewhere(ConversationId id, SharedMeter meter) {
      SharedMeter to = wanted.get(id);
      return to != null && to != meter && to.passed(id).isPresent();
    }

    @Override
    public void ended(SharedMeter meter) {
      open.remove(meter.place, meter);
      meters.quota().giveBack(meter.place.device());
    }

    @Override
    public void lost(Conversation conversation, Unserved why) {
      owner.lost(conversation, why);
    }

    @Override
    public void readCounters(DeviceId device) {
      owner.readCounters(device);
    }
  }

  /** Whatever this changes is one change of each meter. */
  void together(Runnable changes) {
    if (isCollecting) {
      changes.run();
      return;
    }
    isCollecting = true;
    try {
      changes.run();
    } finally {
      isCollecting = false;
      advance();
    }
  }

  private void touch(SharedMeter meter) {
    // What else is asked on the worker before that is one change with this.
    if (touched.add(meter) && !isCollecting) {
      worker.execute(this::advance);
    }
  }

  private void advance() {
    if (!isCollecting) {
      List<SharedMeter> now = List.copyOf(touched);
      touched.clear();
      Each.of(now, SharedMeter::advance);
    }
  }

  /** Whether a conversation has a part of a meter, or is to have one. */
  boolean has(ConversationId id) {
    return parts.containsKey(id);
  }

  /** Completes when its rule leads to the meter of its group, at this rate. */
  CompletableFuture<Limit.Outcome> limit(Conversation conversation, MeterGroup group, long kbps) {
    Optional<Move> move = Optional.ofNullable(moves.get(conversation.id()));
    return move.map(going -> going.path)
        .or(() -> rules.firstSwitch(conversation).flatMap(first -> rules.path(conversation)))
        .map(
            path ->
                hold(
                    conversation,
                    SharedMeter.Place.of(path, group),
                    kbps,
                    move.map(going -> going.onto)))
        .orElseGet(
            () ->
                CompletableFuture.completedFuture(
                    Limit.Outcome.refused(Unserved.of(Unserved.Code.NO_FIRST_SWITCH))));
  }

  /** The meter there first, and then the path: on its way it never passes a meter for another. */
  @Override
  public Optional<CompletableFuture<Void>> move(
      Conversation conversation,
      Path path,
      Function<PassedMeter, CompletableFuture<Boolean>> onto) {
    ConversationId id = conversation.id();
    SharedMeter now = wanted.get(id);
    if (now == null) {
      return Optional.empty();
    }
    SharedMeter.Place there = SharedMeter.Place.of(path, now.place.group());
    Optional<Move> before = Optional.ofNullable(moves.get(id));
    if (before.isEmpty() && there.equals(now.place)) {
      return Optional.empty();
    }
    Move move = new Move(path, onto);
    moves.put(id, move);
    before.ifPresent(other -> move.done.thenRun(() -> other.done.complete(null)));
    hold(conversation, there, now.wanted(id).orElse(1L), Optional.of(onto))
        .thenAccept(outcome -> outcome.refusal.ifPresent(why -> owner.refused(conversation, why)));
    return Optional.of(move.done);
  }

  private CompletableFuture<Limit.Outcome> hold(
      Conversation conversation,
      SharedMeter.Place place,
      long kbps,
      Optional<Function<PassedMeter, CompletableFuture<Boolean>>> onto) {
    ConversationId id = conversation.id();
    SharedMeter meter = open.get(place);
    if (meter == null) {
      Optional<Unserved> none = meters.quota().take(place.device());
      if (none.isPresent()) {
        endMove(id);
        return CompletableFuture.completedFuture(Limit.Outcome.refused(none.get()));
      }
      meter = new SharedMeter(place, meters, rules, worker, new Meters());
      open.put(place, meter);
    }
    SharedMeter to = meter;
    boolean isAnew = wanted.put(id, to) != to;
    parts.computeIfAbsent(id, one -> new LinkedHashSet<>()).add(to);
    leaveWhere(id, other -> other != to && !other.mayLead(id));
    return to.join(conversation, kbps, isAnew, onto).thenCompose(outcome -> came(id, to, outcome));
  }

  /** What it had of others is theirs again before anybody is told that it is held by this one. */
  private CompletableFuture<Limit.Outcome> came(
      ConversationId id, SharedMeter to, Limit.Outcome outcome) {
    if (outcome.isOvertaken || wanted.get(id) != to) {
      return CompletableFuture.completedFuture(Limit.Outcome.OVERTAKEN);
    }
    if (outcome.refusal.isPresent()) {
      leaveWhere(id, other -> other == to && !other.mayLead(id));
      parts(id).stream()
          .findFirst()
          .ifPresentOrElse(held -> wanted.put(id, held), () -> wanted.remove(id));
      endMove(id);
      return CompletableFuture.completedFuture(outcome);
    }
    leaveWhere(id, other -> other != to);
    return lowered(id)
        .thenApply(
            left -> {
              endMove(id);
              return outcome;
            });
  }

  private Set<SharedMeter> parts(ConversationId id) {
    return Optional.ofNullable(parts.get(id)).orElseGet(Set::of);
  }

  private void leaveWhere(ConversationId id, Predicate<SharedMeter> some) {
    List<SharedMeter> left = parts(id).stream().filter(some).collect(Collectors.toList());
    if (left.isEmpty()) {
      return;
    }
    parts(id).removeAll(left);
    parts.remove(id, Set.of());
    List<CompletableFuture<?>> all = new ArrayList<>();
    all.add(lowered(id));
    left.forEach(meter -> all.add(meter.leave(id)));
    CompletableFuture<Void> lowered =
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    lowering.put(id, lowered);
    lowered.thenRun(() -> lowering.remove(id, lowered));
  }

  /** Completes when no meter that it has left lets anything through for it. */
  private CompletableFuture<Void> lowered(ConversationId id) {
    return Optional.ofNullable(lowering.get(id))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /** It is led to where it was to go, or cannot be. */
  private void endMove(ConversationId id) {
    Optional.ofNullable(moves.remove(id)).ifPresent(move -> move.done.complete(null));
  }

  /** Another meter, for it alone, is to hold it; what holds it now holds until then. */
  void willLeave(ConversationId id) {
    wanted.remove(id);
    leaveWhere(id, meter -> !meter.mayLead(id));
    parts(id).forEach(meter -> meter.willLeave(id));
    // It does not wait for its path: it takes its meter along until it has the other.
    Optional<Move> move = Optional.ofNullable(moves.remove(id));
    Optional<CompletableFuture<Boolean>> led =
        parts(id).stream()
            .flatMap(meter -> meter.passed(id).stream())
            .findFirst()
            .flatMap(passed -> move.map(going -> going.onto.apply(passed)));
    move.ifPresent(
        going ->
            led.orElseGet(() -> CompletableFuture.completedFuture(false))
                .thenRun(() -> going.done.complete(null)));
  }

  /** It is over, or another meter holds it; completes when nothing here is for it any more. */
  CompletableFuture<Void> leave(ConversationId id) {
    wanted.remove(id);
    ruleCounts.remove(id);
    endMove(id);
    leaveWhere(id, meter -> true);
    return lowered(id);
  }

  /** Its switch may have lost the meter that its rule leads to; whether it has a part of any. */
  boolean makeAgain(ConversationId id) {
    parts(id).stream().filter(SharedMeter::isThere).forEach(SharedMeter::renew);
    return has(id);
  }

  /** What was read back of its meter at this switch is not as it is to be. */
  boolean repair(ConversationId id, String device) {
    parts(id).stream()
        .filter(meter -> meter.place.device().toString().equals(device))
        .filter(SharedMeter::isThere)
        .forEach(SharedMeter::renew);
    return has(id);
  }

  /** What each has, of the meter that its rule leads to where there is one. */
  Map<ConversationId, SharedPart> held() {
    Map<ConversationId, SharedPart> held = new TreeMap<>();
    parts.forEach(
        (id, all) ->
            all.stream()
                .filter(meter -> meter.passed(id).isPresent())
                .findFirst()
                .or(() -> all.stream().findFirst())
                .ifPresent(meter -> held.put(id, meter.part(id))));
    return held;
  }

  /** The switches that have any. */
  Set<DeviceId> devices() {
    return open.keySet().stream()
        .map(SharedMeter.Place::device)
        .collect(Collectors.toUnmodifiableSet());
  }

  private List<SharedMeter> at(DeviceId device) {
    return open.values().stream()
        .filter(meter -> meter.place.device().equals(device))
        .collect(Collectors.toUnmodifiableList());
  }

  /** What a switch's meters have counted. */
  void read(DeviceId device, Map<Long, MeterCount> counts) {
    at(device).forEach(meter -> meter.counted(counts));
  }

  /**
   * Divides what was read among those who pass each meter: what the rules of each have led there
   * came from it, and of that as much was dropped as of all that came.
   *
   * @return by conversation of which there is something new what is for it, in kbit/s
   */
  Map<ConversationId, Long> divide(DeviceId device, MeterTotals totals) {
    List<SharedMeter> here = at(device);
    List<Conversation> led = new ArrayList<>();
    here.forEach(meter -> led.addAll(meter.conversations()));
    if (led.isEmpty()) {
      return Map.of();
    }
    Map<ConversationId, List<FlowEntry>> entries = rules.firstEntries(new HashSet<>(led));
    Map<ConversationId, Long> told = new TreeMap<>();
    for (SharedMeter meter : here) {
      Map<ConversationId, Long> held = new TreeMap<>(meter.held());
      // Who passes from one to another is counted once, by the one that it goes to.
      held.keySet().removeIf(id -> wanted.containsKey(id) && wanted.get(id) != meter);
      divide(meter, held.keySet(), entries, totals)
          .forEach(id -> Optional.ofNullable(held.get(id)).ifPresent(kbps -> told.put(id, kbps)));
    }
    return told;
  }

  private Set<ConversationId> divide(
      SharedMeter meter,
      Collection<ConversationId> some,
      Map<ConversationId, List<FlowEntry>> entries,
      MeterTotals totals) {
    Map<ConversationId, MeterCount> came = new TreeMap<>();
    for (ConversationId id : some) {
      Optional.ofNullable(entries.get(id))
          .flatMap(rulesOf -> counts(id).fresh(rulesOf))
          .ifPresent(count -> came.put(id, count));
    }
    long packets = came.values().stream().mapToLong(MeterCount::packets).sum();
    MeterCount all = meter.undivided();
    if (packets > 0 && all.packets() == 0) {
      // The rules were read after the meter: what became of it is known when that is read again.
      return Set.of();
    }
    came.forEach(
        (id, count) -> {
          totals.add(id, part(count, all));
          counts(id).take(Optional.ofNullable(entries.get(id)).orElseGet(List::of));
        });
    if (packets > 0) {
      meter.divided();
    }
    return came.keySet();
  }

  private RuleCounts counts(ConversationId id) {
    return ruleCounts.computeIfAbsent(id, one -> new RuleCounts());
  }

  /** Of this much that came, as large a part was dropped as of all. */
  private static MeterCount part(MeterCount came, MeterCount all) {
    return MeterCount.of(
        came.bytes(),
        came.packets(),
        scaled(came.bytes(), all.droppedBytes(), all.bytes()),
        scaled(came.packets(), all.droppedPackets(), all.packets()));
  }

  private static long scaled(long came, long dropped, long all) {
    return all <= 0 ? 0 : Math.min(came, Math.round((double) came * dropped / all));
  }
}
