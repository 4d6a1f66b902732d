package org.paceline.control.audit;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.Worker;

/**
 * Looks once a minute, and when a setting was changed, whether there are more records of some kind
 * than are to be kept. Where they cannot be exported they stay, and an alarm says so.
 */
public final class Retention {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final List<RecordRetention<?>> kinds;
  private final Worker worker;
  private final Clock clock;
  private volatile Optional<Alarm> alarm = Optional.empty();

  /**
   * @param worker of its own: it waits for the store and for the disk
   */
  public Retention(List<RecordRetention<?>> kinds, Worker worker, Clock clock) {
    this.kinds = List.copyOf(kinds);
    this.worker = worker;
    this.clock = clock;
  }

  /** Begins; it ends with its worker. */
  public void start() {
    lookSoon();
    worker.every(() -> INTERVAL, this::look);
  }

  /** Looks soon: another number is to be kept. */
  public void lookSoon() {
    worker.execute(this::look);
  }

  private void look() {
    Optional<String> trouble = Optional.empty();
    for (RecordRetention<?> kind : kinds) {
      try {
        kind.run();
      } catch (IOException failure) {
        trouble = Optional.of(String.valueOf(failure.getMessage()));
      }
    }
    alarm =
        trouble.map(
            why ->
                Alarm.ofRetention(
                    why
                        + " Until it can, nothing is removed, and ONOS's store grows. Maybe make"
                        + " room there, or let ONOS's user write there.",
                    alarm.map(Alarm::since).orElseGet(clock::instant)));
  }

  /** One, where something cannot be exported. */
  public List<Alarm> alarms() {
    return alarm.map(List::of).orElseGet(List::of);
  }
}
