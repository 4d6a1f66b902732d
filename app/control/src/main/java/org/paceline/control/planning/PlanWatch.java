package org.paceline.control.planning;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.Worker;
import org.paceline.control.work.GrowingPause;

/**
 * How long a plan has been wanted, and how often making it has failed since the last one came into
 * force. On the worker.
 */
final class PlanWatch {
  /** A plan that is wanted for longer than this, and than a solver may take, is late. */
  private static final Duration LATE = Duration.ofSeconds(30);

  private final Worker worker;
  private final Clock clock;
  private Optional<Duration> wanted = Optional.empty();

  /** The same, for people. */
  private Instant wantedSince = Instant.EPOCH;

  private final GrowingPause pause = new GrowingPause();
  private String reason = "";

  PlanWatch(Worker worker, Clock clock) {
    this.worker = worker;
    this.clock = clock;
  }

  /** Something has happened that the plan in force does not know of. */
  void wanted() {
    if (wanted.isEmpty()) {
      putOff();
    }
  }

  /** It is put off on purpose, so it is not late yet. */
  void putOff() {
    wanted = Optional.of(worker.now());
    wantedSince = clock.instant();
  }

  /**
   * A plan is in force.
   *
   * @param isNextWanted whether something happened meanwhile
   */
  void made(boolean isNextWanted) {
    pause.end();
    wanted = Optional.empty();
    if (isNextWanted) {
      wanted();
    }
  }

  /**
   * Making it has failed.
   *
   * @param why a part of a sentence
   * @return after which time it is to be tried again: each time twice as long
   */
  Duration failed(String why) {
    reason = why;
    return pause.next();
  }

  /** Whether the last try has failed. */
  boolean isFailing() {
    return pause.isOn();
  }

  /**
   * One where the next plan is late.
   *
   * @param mayTake how long the solver that was chosen may take
   */
  List<Alarm> alarms(Duration mayTake) {
    Duration late = worker.now().minus(LATE).minus(isFailing() ? Duration.ZERO : mayTake);
    return wanted
        .filter(since -> since.compareTo(late) < 0)
        .map(since -> List.of(Alarm.ofPlanner(sentence(), wantedSince)))
        .orElseGet(List::of);
  }

  private String sentence() {
    return isFailing()
        ? "The plan in force is old, for the next one cannot be made: "
            + reason
            + ". It is tried again and again. Maybe report what the log says of it."
        : "The plan in force is old, for the next one is not made in time. Maybe the machine"
            + " has too little of its processors for the solver.";
  }
}
