package org.paceline.onos.meter;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;
import org.paceline.allocator.Guarded;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.network.Path;
import org.paceline.onos.flow.ConversationRules;
import org.paceline.onos.flow.PassedMeter;

/**
 * One meter of a switch that several conversations pass, at the sum of their rates. The sum is
 * never more than what is counted for them: the meter is raised before the rule of a conversation
 * that comes leads to it, and it is lowered before a lower rate is acknowledged. A conversation
 * that goes is led elsewhere, or is over, before the meter is lowered.
 *
 * <p>One change of the meter at a time: whatever is wanted meanwhile is one more change after that.
 * Belongs to the worker's thread.
 */
final class SharedMeter {
  /** Removing a meter removes the rules that refer to it: it waits for their removal. */
  private static final Duration UNUSED = Duration.ofMillis(1_500);

  /** What a switch did not take back may pass it all the time: it is told so again. */
  private static final Duration TOLD_AGAIN_AFTER = Duration.ofSeconds(1);

  /** All that its conversations have in common. */
  @AutoValue
  abstract static class Place {
    abstract DeviceId device();

    /** From that switch on to the receiver; senders may be different ones. */
    abstract List<String> way();

    abstract MeterGroup group();

    static Place of(Path path, MeterGroup group) {
      List<String> way = path.nodes().subList(1, path.nodes().size());
      return new AutoValue_SharedMeter_Place(
          DeviceId.deviceId(way.get(0)), List.copyOf(way), group);
    }
  }

  /** Whom it tells, on the worker. */
  interface Owner {
    /** It is to {@link SharedMeter#advance}, together with all others that are. */
    void touched(SharedMeter meter);

    /** Whether a conversation that has a part of this one is led to another one already. */
    boolean isLedElsewhere(ConversationId id, SharedMeter meter);

    /** Nobody passes it any more. */
    void ended(SharedMeter meter);

    /** It was lost, and there is none again. */
    void lost(Conversation conversation, Unserved why);

    /** Some switches count from nothing again when a meter is changed. */
    void readCounters(DeviceId device);
  }

  final Place place;
  private final DropMeters meters;
  private final ConversationRules rules;
  private final Worker worker;
  private final Owner owner;
  private final Map<ConversationId, Member> members = new TreeMap<>();
  private final List<CompletableFuture<Void>> lowering = new ArrayList<>();

  /** Meters before this one, while rules may lead to them. */
  private final Set<MeterId> former = new LinkedHashSet<>();

  private final Map<MeterId, MeterCount> read = new HashMap<>();
  private Optional<MeterId> meter = Optional.empty();
  private long kbps;
  private boolean isChanging;

  /** It is made, the first one or one instead of what was there. */
  private boolean isMaking;

  private boolean isLost;
  private boolean isEnded;

  /** Its switch is told again what it has not done, after a while. */
  private boolean isToldAgain;

  private MeterCount undivided = MeterCount.NOTHING;

  SharedMeter(Place place, DropMeters meters, ConversationRules rules, Worker worker, Owner owner) {
    this.place = place;
    this.meters = meters;
    this.rules = rules;
    this.worker = worker;
    this.owner = owner;
  }

  /** A conversation and its part of the rate. */
  private static final class Member {
    final Conversation conversation;
    long kbps;

    /** Of the newest rate. */
    CompletableFuture<Limit.Outcome> outcome = new CompletableFuture<>();

    /** How it is led here for the first time, where that is more than through another meter. */
    Optional<Function<PassedMeter, CompletableFuture<Boolean>>> onto = Optional.empty();

    /** By what its rule was told last to lead. */
    Optional<PassedMeter> through = Optional.empty();

    /** Whether the switch has that rule. */
    boolean isLed;

    /** Another meter is to hold it. */
    boolean isGoing;

    /** What of the meter's rate is for it, as the switch confirmed it. */
    long held;

    Member(Conversation conversation) {
      this.conversation = conversation;
    }
  }

  /**
   * A conversation is to pass it at this rate; completes when it does.
   *
   * @param anew whether another meter was to hold it until now
   * @param onto how it is led here where that is more than through another meter
   */
  CompletableFuture<Limit.Outcome> join(
      Conversation conversation,
      long rate,
      boolean anew,
      Optional<Function<PassedMeter, CompletableFuture<Boolean>>> onto) {
    Member member = members.computeIfAbsent(conversation.id(), id -> new Member(conversation));
    if (!anew && member.kbps == rate) {
      if (member.through.isEmpty()) {
        member.onto = onto;
      }
      return member.outcome;
    }
    member.outcome.complete(Limit.Outcome.OVERTAKEN);
    member.outcome = new CompletableFuture<>();
    member.kbps = rate;
    member.isGoing = false;
    if (anew) {
      member.onto = onto;
      member.through = Optional.empty();
      member.isLed = false;
    } else if (member.through.isEmpty()) {
      member.onto = onto;
    }
    owner.touched(this);
    return member.outcome;
  }

  /**
   * A conversation is over, or led elsewhere; completes when the meter lets through no more than is
   * for the others.
   */
  CompletableFuture<Void> leave(ConversationId id) {
    Member member = members.remove(id);
    if (member == null) {
      return CompletableFuture.completedFuture(null);
    }
    member.outcome.complete(Limit.Outcome.OVERTAKEN);
    CompletableFuture<Void> lowered = new CompletableFuture<>();
    lowering.add(lowered);
    if (members.isEmpty()) {
      end();
    } else {
      owner.touched(this);
    }
    return lowered;
  }

  /** Another meter is to hold it from now on, and this one until then. */
  void willLeave(ConversationId id) {
    Optional.ofNullable(members.get(id)).ifPresent(member -> member.isGoing = true);
  }

  /** Whether the switch may lead its packets here. */
  boolean mayLead(ConversationId id) {
    return Optional.ofNullable(members.get(id))
        .filter(member -> member.through.isPresent() || member.held > 0)
        .isPresent();
  }

  /** What is for it as it was asked last. */
  Optional<Long> wanted(ConversationId id) {
    return Optional.ofNullable(members.get(id)).map(member -> member.kbps);
  }

  /** Its meter as its rule leads there; empty before. */
  Optional<PassedMeter> passed(ConversationId id) {
    return Optional.ofNullable(members.get(id)).flatMap(member -> member.through);
  }

  /** The switch may have lost it, or holds another: there is a new one for all of them. */
  void renew() {
    isLost = true;
    owner.touched(this);
  }

  /** Whether its switch is believed to have it. */
  boolean isThere() {
    return meter.isPresent() && !isLost && !isMaking;
  }

  /** Makes the switch's meter what it is to be, or leads those who may pass it. */
  void advance() {
    if (isChanging || isEnded) {
      return;
    }
    Map<Member, Long> rates = new LinkedHashMap<>();
    members.values().forEach(member -> rates.put(member, member.kbps));
    long sum = sum(rates.values());
    if (meter.isEmpty() || isLost) {
      make(sum, rates);
    } else if (sum != kbps) {
      change(meter.get(), sum, rates);
    } else {
      lower(List.copyOf(lowering));
      confirmed(rates);
    }
  }

  private static long sum(Collection<Long> rates) {
    return rates.stream().mapToLong(Long::longValue).sum();
  }

  private void change(MeterId id, long sum, Map<Member, Long> rates) {
    List<CompletableFuture<Void>> leaving = List.copyOf(lowering);
    isChanging = true;
    owner.readCounters(place.device());
    changed(id, sum)
        .thenAccept(
            changed -> {
              owner.readCounters(place.device());
              isChanging = false;
              if (isEnded) {
                return;
              }
              if (!changed) {
                make(sum, rates);
                return;
              }
              kbps = sum;
              lower(leaving);
              confirmed(rates);
              advance();
            });
  }

  private CompletableFuture<Boolean> changed(MeterId id, long sum) {
    try {
      return meters.change(place.device(), id, sum);
    } catch (RuntimeException | Error bug) {
      report(bug);
      return CompletableFuture.completedFuture(false);
    }
  }

  private void make(long sum, Map<Member, Long> rates) {
    List<CompletableFuture<Void>> leaving = List.copyOf(lowering);
    boolean wasLost = isLost;
    isChanging = true;
    isMaking = true;
    isLost = false;
    made(sum)
        .exceptionally(
            bug -> {
              report(bug);
              return DropMeters.Made.failed(bug);
            })
        .thenAccept(
            made -> {
              isChanging = false;
              isMaking = false;
              if (made.meter.isEmpty()) {
                refuse(
                    rates.keySet(),
                    wasLost,
                    Unserved.of(Unserved.Code.METER_REFUSED, place.device(), made.problem));
              } else {
                lower(leaving);
                hold(made.meter.get(), sum, rates);
              }
            });
  }

  private CompletableFuture<DropMeters.Made> made(long sum) {
    try {
      return meters.make(place.device(), sum);
    } catch (RuntimeException | Error bug) {
      report(bug);
      return CompletableFuture.completedFuture(DropMeters.Made.failed(bug));
    }
  }

  private void hold(MeterId made, long sum, Map<Member, Long> rates) {
    if (isEnded) {
      withdrawLater(made);
      return;
    }
    Optional<MeterId> before = meter;
    before.ifPresent(former::add);
    meter = Optional.of(made);
    kbps = sum;
    CompletableFuture<?> led = confirmed(rates);
    before.ifPresent(
        old ->
            led.thenRun(
                () -> {
                  if (former.remove(old)) {
                    withdrawLater(old);
                  }
                }));
    advance();
  }

  /** The switch has these rates; completes when the rules of all lead to the meter. */
  private CompletableFuture<?> confirmed(Map<Member, Long> rates) {
    List<CompletableFuture<?>> led = new ArrayList<>();
    rates.forEach(
        (member, rate) -> {
          if (isHere(member)) {
            member.held = rate;
            // One that was lost and is there again must not take back who is on its way to another.
            if (!member.isGoing && !owner.isLedElsewhere(member.conversation.id(), this)) {
              led.add(lead(member, rate));
            }
          }
        });
    return CompletableFuture.allOf(led.toArray(CompletableFuture[]::new));
  }

  private boolean isHere(Member member) {
    return members.get(member.conversation.id()) == member;
  }

  private CompletableFuture<?> lead(Member member, long rate) {
    PassedMeter passed = PassedMeter.of(meter.orElseThrow(), rate);
    if (member.through.filter(passed::equals).isPresent()) {
      if (member.isLed) {
        completed(member, rate, Limit.Outcome.DONE);
      }
      return CompletableFuture.completedFuture(null);
    }
    Function<PassedMeter, CompletableFuture<Boolean>> how =
        member.onto.orElse(now -> rules.meter(member.conversation, Optional.of(now)));
    member.onto = Optional.empty();
    member.through = Optional.of(passed);
    member.isLed = false;
    CompletableFuture<Boolean> led;
    try {
      led = how.apply(passed);
    } catch (RuntimeException | Error bug) {
      report(bug);
      completed(
          member,
          rate,
          Limit.Outcome.refused(
              Unserved.of(Unserved.Code.METER_REFUSED, place.device(), Guarded.reason(bug))));
      return CompletableFuture.completedFuture(null);
    }
    return led.thenAccept(
        done -> {
          if (isHere(member) && member.through.filter(passed::equals).isPresent()) {
            member.isLed = done;
            completed(
                member,
                rate,
                done
                    ? Limit.Outcome.DONE
                    : Limit.Outcome.refused(Unserved.of(Unserved.Code.METER_RULE_REFUSED)));
          }
        });
  }

  /** Unless it was asked for another rate since. */
  private static void completed(Member member, long rate, Limit.Outcome outcome) {
    if (member.kbps == rate) {
      member.outcome.complete(outcome);
    }
  }

  /**
   * Who came is refused, and who was to have another rate. The others stay as they are, unless
   * their meter was lost.
   */
  private void refuse(Collection<Member> some, boolean wasLost, Unserved why) {
    for (Member member : some) {
      if (isHere(member)) {
        if (member.held == 0) {
          members.remove(member.conversation.id());
        }
        boolean isAsked = member.outcome.complete(Limit.Outcome.refused(why));
        if (!isAsked && wasLost) {
          owner.lost(member.conversation, why);
        }
      }
    }
    if (members.isEmpty() && !isEnded) {
      end();
    }
    if (meter.isEmpty()) {
      // There is none that could let anything through.
      lower(List.copyOf(lowering));
    }
    goOn();
  }

  /** Who came meanwhile is next. Who has left still waits for a meter that lets through less. */
  private void goOn() {
    if (members.values().stream().anyMatch(member -> !member.outcome.isDone())) {
      owner.touched(this);
    } else if (!lowering.isEmpty() && !isToldAgain) {
      isToldAgain = true;
      worker.after(
          TOLD_AGAIN_AFTER,
          () -> {
            isToldAgain = false;
            owner.touched(this);
          });
    }
  }

  private void lower(List<CompletableFuture<Void>> leaving) {
    lowering.removeAll(leaving);
    leaving.forEach(each -> each.complete(null));
  }

  private void end() {
    isEnded = true;
    owner.ended(this);
    meter.ifPresent(this::withdrawLater);
    former.forEach(this::withdrawLater);
    // Whoever is led elsewhere later must not withdraw it again: its number may be another's then.
    former.clear();
    lower(List.copyOf(lowering));
  }

  private void withdrawLater(MeterId id) {
    worker.after(
        UNUSED,
        () -> {
          meters.withdraw(place.device(), id, kbps);
          read.remove(id);
        });
  }

  /** As of whatever fails on the worker. Who waits is told that there is no meter. */
  private void report(Throwable bug) {
    worker.after(
        Duration.ZERO,
        () -> {
          throw new IllegalStateException("A meter could not be put in force.", bug);
        });
  }

  /** By conversation what is for each, as the switch confirmed it, of those that are led here. */
  Map<ConversationId, Long> held() {
    return members.values().stream()
        .filter(member -> member.through.isPresent() && member.held > 0)
        .collect(
            Collectors.toUnmodifiableMap(member -> member.conversation.id(), each -> each.held));
  }

  /** Of those. */
  List<Conversation> conversations() {
    return members.values().stream()
        .filter(member -> member.through.isPresent() && member.held > 0)
        .map(member -> member.conversation)
        .collect(Collectors.toUnmodifiableList());
  }

  /** What one of them has of it at this moment, to be compared with what the switch holds. */
  SharedPart part(ConversationId id) {
    List<Long> rates =
        members.values().stream().map(member -> member.kbps).collect(Collectors.toList());
    return new SharedPart(
        id,
        place,
        isChanging || isLost ? Optional.empty() : meter,
        sum(rates),
        wanted(id).orElse(0L),
        rates.size());
  }

  /** What the switch's meters have counted, by number. */
  void counted(Map<Long, MeterCount> counts) {
    List<MeterId> all = new ArrayList<>(former);
    meter.ifPresent(all::add);
    for (MeterId id : all) {
      MeterCount now = counts.get(id.id());
      if (now != null) {
        undivided = undivided.plus(now.since(read.getOrDefault(id, MeterCount.NOTHING)));
        read.put(id, now);
      }
    }
  }

  /** What it has counted since that was last divided among those who pass it. */
  MeterCount undivided() {
    return undivided;
  }

  void divided() {
    undivided = MeterCount.NOTHING;
  }
}
