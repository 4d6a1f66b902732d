package org.paceline.control.reservations;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.port.Worker;
import org.paceline.control.work.Each;
import org.paceline.intents.unit.DataRate;

/**
 * The calendar of reservations: admitted requests are held, committed or given back, and end by
 * themselves. While a committed one lasts, the conversations that it is for share its rate equally
 * as their least. Each step is in the store before it is answered, so that a promise outlives the
 * controller that made it.
 */
public final class Reservations implements ReservedRates {
  /** How long somebody may think it over. */
  public static final Duration HOLD = Duration.ofMinutes(1);

  private static final int TRIES = 5;

  /** The clock may be stepped while a time is awaited. */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final ReservationStore kept;
  private final Terms terms;
  private final Clock clock;
  private final Worker worker;
  private final Runnable changed;

  private final List<BiConsumer<ReservationStep, Reservation>> listeners =
      new CopyOnWriteArrayList<>();

  /**
   * Its lock is held for a moment by whoever changes it and tells of that; this object's, while one
   * more is put in it.
   */
  private final Calendar calendar;

  /**
   * @param changed told, on the worker, when what is due becomes another
   */
  public Reservations(
      ReservationStore kept, Terms terms, Clock clock, Worker worker, Runnable changed) {
    this.kept = kept;
    this.terms = terms;
    this.clock = clock;
    this.worker = worker;
    this.changed = changed;
    this.calendar = new Calendar(clock);
  }

  /** Told of each step while nobody else can make one: it must not wait for anything. */
  public void onStep(BiConsumer<ReservationStep, Reservation> listener) {
    listeners.add(listener);
  }

  /**
   * What an earlier controller admitted holds again, and what came to its end meanwhile is told. To
   * be called once, before anybody asks and when the listeners are there.
   */
  public void restore() {
    synchronized (calendar) {
      Instant now = clock.instant();
      for (Reservation reservation : kept.all()) {
        if (reservation.isGivenBack()) {
          if (reservation.endedAt().isEmpty()) {
            tell(ReservationStep.CANCELLED, reservation);
          }
          kept.remove(reservation.id());
        } else {
          calendar.put(reservation);
        }
      }
      calendar.now().values().forEach(reservation -> watch(reservation, now));
    }
  }

  /** What {@link #hold} would answer at this moment; nothing is held, and nobody held up. */
  public AdmissionDecision ask(User who, ReservationRequest requested) {
    forgetOver();
    return terms.answer(terms.binding(who, requested), requested, all(), clock.instant());
  }

  /**
   * What of its rate conversations can use, where that is less than all: the policy became another,
   * or they became fewer, since it was admitted.
   */
  public Optional<DataRate> usable(Reservation reservation) {
    return terms.usable(reservation, all(), clock.instant());
  }

  /**
   * Which ceiling it is above that was set since it was admitted, or that did not bind its maker.
   */
  public Optional<String> aboveCeiling(Reservation reservation) {
    return terms.aboveCeiling(reservation, all());
  }

  /** Admits a request and holds it, or says why not and what else. */
  public AdmissionDecision hold(User who, ReservationRequest requested) {
    return admit(who, requested, held -> held, (held, store) -> store.getAsBoolean());
  }

  /**
   * Admits a request, or says why not and what else. It is stored once, as what it is to be: a
   * crash leaves all of it or nothing. The solver is asked without holding anybody up; only who is
   * overtaken each time has it asked while the others wait.
   *
   * @param made what becomes of it once there is room: it itself, or firm at once
   * @param around has it stored, as {@link ReservationStore#add}
   */
  AdmissionDecision admit(
      User who,
      ReservationRequest requested,
      UnaryOperator<Reservation> made,
      BiPredicate<Reservation, BooleanSupplier> around) {
    forgetOver();
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<AdmissionDecision> answer = admit(who, requested, calendar.now(), made, around);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    synchronized (this) {
      return admit(who, requested, calendar.now(), made, around).orElseThrow();
    }
  }

  /** Empty where one more was put in the calendar meanwhile. */
  private Optional<AdmissionDecision> admit(
      User who,
      ReservationRequest requested,
      Map<String, Reservation> seen,
      UnaryOperator<Reservation> made,
      BiPredicate<Reservation, BooleanSupplier> around) {
    AdmissionDecision answer =
        terms.answer(
            terms.binding(who, requested), requested, calendar.goingOn(seen), clock.instant());
    return answer.isYes()
        ? putAfter(
            seen,
            requested,
            held -> made.apply(answer.by().map(held::promisedBy).orElse(held)),
            around)
        : Optional.of(answer);
  }

  private synchronized Optional<AdmissionDecision> putAfter(
      Map<String, Reservation> seen,
      ReservationRequest requested,
      UnaryOperator<Reservation> made,
      BiPredicate<Reservation, BooleanSupplier> around) {
    // What was given back meanwhile, or has become less, only leaves more room.
    boolean isMore =
        all().stream()
            .anyMatch(
                one ->
                    !seen.containsKey(one.id())
                        || one.requested()
                                .rate()
                                .compareTo(
                                    Objects.requireNonNull(seen.get(one.id())).requested().rate())
                            > 0);
    if (isMore) {
      return Optional.empty();
    }
    Instant until = clock.instant().plus(HOLD);
    Reservation admitted =
        kept.add(number -> made.apply(Reservation.held("r" + number, requested, until)), around);
    synchronized (calendar) {
      calendar.put(admitted);
      tell(ReservationStep.HELD, Reservation.held(admitted.id(), requested, until));
      if (admitted.isCommitted()) {
        tell(ReservationStep.COMMITTED, admitted);
      }
    }
    watch(admitted, clock.instant());
    return Optional.of(AdmissionDecision.yes(admitted));
  }

  /**
   * @throws Refused if what is held is above a ceiling that binds this user
   */
  void mustBeBelowCeilings(User who, Reservation held) {
    terms
        .refusal(who, held, all())
        .ifPresent(
            why -> {
              throw new Refused(why);
            });
  }

  /** Empty where there is none, or its hold is over: then ask again. */
  public Optional<Reservation> commit(String id) {
    synchronized (calendar) {
      Instant now = clock.instant();
      forgetOver(now);
      Optional<Reservation> committed =
          Optional.ofNullable(calendar.now().get(id)).map(Reservation::committed);
      committed.ifPresent(
          reservation -> {
            kept.replace(reservation);
            calendar.put(reservation);
            watch(reservation, now);
            tell(ReservationStep.COMMITTED, reservation);
          });
      return committed;
    }
  }

  /** Whether there was one to give back. */
  public boolean cancel(String id) {
    synchronized (calendar) {
      forgetOver(clock.instant());
      Optional<Reservation> given = Optional.ofNullable(calendar.now().get(id));
      given.ifPresent(
          reservation -> {
            // Taken away only when it is told: who starts after a crash in between tells it.
            kept.replace(reservation.givenBack());
            calendar.remove(List.of(id));
            worker.execute(changed);
            if (reservation.endedAt().isEmpty()) {
              tell(ReservationStep.CANCELLED, reservation);
            }
            try {
              kept.remove(id);
            } catch (RuntimeException storeIsAway) {
              // It is given back all the same; the next start takes it away.
            }
          });
      return given.isPresent();
    }
  }

  /** Held and committed ones that are not over, in the order of their making. */
  public List<Reservation> all() {
    return calendar.goingOn(calendar.now());
  }

  /** As {@link #all}, with the transfers that were met or missed within a day. */
  public List<Reservation> withEnded() {
    return calendar.withEnded();
  }

  /** What has become of a transfer that goes on. Where the store is away, it is stored later. */
  void advance(String id, UnaryOperator<Reservation> change, boolean isStored) {
    synchronized (calendar) {
      Optional<Reservation> before = calendar.findGoingOn(id);
      if (before.isEmpty()) {
        return;
      }
      Reservation further = change.apply(before.get());
      calendar.put(further);
      if (isStored) {
        try {
          kept.replace(further);
        } catch (RuntimeException storeIsAway) {
          // What was sent since is counted again by whoever starts after a crash.
        }
      }
      if (further.endedAt().isPresent()) {
        tell(
            further.state(clock.instant()) == Reservation.State.MET
                ? ReservationStep.MET
                : ReservationStep.MISSED,
            further);
      }
    }
  }

  /**
   * Gives a transfer that is behind a greater rate, as far as there is room; nobody else is
   * admitted meanwhile.
   *
   * @return the rate that it has from now on
   */
  synchronized DataRate raise(String id, DataRate wanted) {
    Optional<Reservation> behind = calendar.findGoingOn(id);
    if (behind.isEmpty()) {
      return wanted;
    }
    DataRate rate = terms.most(behind.get(), wanted, all(), clock.instant());
    synchronized (calendar) {
      calendar.findGoingOn(id).ifPresent(one -> calendar.put(one.with(rate)));
    }
    if (!rate.equals(behind.get().requested().rate())) {
      worker.execute(changed);
    }
    return rate;
  }

  void rateChanged() {
    worker.execute(changed);
  }

  /** One that is not over. */
  public Optional<Reservation> find(String id) {
    return calendar.find(id);
  }

  /** Whether a crash left this change made; then all who listen are told of it again. */
  public boolean isMade(PendingChange change) {
    String key = change.subject().key();
    boolean isAsked = change.subject().kind() == Subject.Kind.WISH;
    Optional<Reservation> found = isAsked ? of(key) : find(key);
    if (isAsked) {
      found.ifPresent(held -> tell(ReservationStep.HELD, held));
    }
    Optional<Reservation> firm = found.filter(Reservation::isCommitted);
    if (change.isKept()) {
      firm.ifPresent(committed -> tell(ReservationStep.COMMITTED, committed));
      return isAsked ? found.isPresent() : firm.isPresent();
    }
    return found.isEmpty();
  }

  /** What came of a request, if it is not over. */
  Optional<Reservation> of(String request) {
    return all().stream().filter(one -> one.request().equals(Optional.of(request))).findFirst();
  }

  @Override
  public Map<ConversationId, ReservedRates.Due> due(Collection<Proof> proofs) {
    return DueRates.at(clock.instant(), all(), proofs, terms::circuitShares);
  }

  /** Does by itself what its times ask for, also where the clock is stepped meanwhile. */
  private void watch(Reservation reservation, Instant now) {
    reservation.heldUntil().ifPresent(until -> at(until, now, this::forgetOver));
    if (reservation.isCommitted()) {
      at(reservation.requested().start(), now, this::due);
      at(reservation.requested().end(), now, this::due);
    }
  }

  private void at(Instant time, Instant now, Runnable act) {
    Duration left = Duration.between(now, time);
    Duration wait = left.compareTo(LOOK) > 0 ? LOOK : left;
    worker.after(
        wait.isNegative() ? Duration.ZERO : wait,
        () -> {
          Instant then = clock.instant();
          if (then.isBefore(time)) {
            at(time, then, act);
          } else {
            act.run();
          }
        });
  }

  private void due() {
    changed.run();
    forgetOver();
  }

  private void tell(ReservationStep step, Reservation reservation) {
    Each.of(listeners, listener -> listener.accept(step, reservation));
  }

  private void forgetOver() {
    forgetOver(clock.instant());
  }

  private void forgetOver(Instant now) {
    synchronized (calendar) {
      List<Reservation> over = calendar.takeOver(now);
      Each.of(
          over.stream()
              .filter(reservation -> reservation.endedAt().isEmpty())
              .collect(Collectors.toUnmodifiableList()),
          reservation -> tell(ReservationStep.ENDED, reservation));
      // Last: where the store is away they are forgotten all the same, and found over the next
      // time.
      over.forEach(reservation -> kept.remove(reservation.id()));
    }
  }
}
