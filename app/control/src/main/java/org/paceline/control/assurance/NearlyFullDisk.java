package org.paceline.control.assurance;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.FreeSpace;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;

/**
 * Looks every few seconds how much room is left for the controller's stores. ONOS's own store can
 * lose a part of its log on a full disk, and then answers nobody any more, so the alarm comes while
 * there still is room.
 */
public final class NearlyFullDisk {
  /** The question costs some microseconds, and a log can fill a disk within a minute. */
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private static final long MEGABYTE = 1_000_000;

  /**
   * The alarm ends at a tenth more than what raised it, else it would come and go with each log.
   */
  private static final int HYSTERESIS_PERCENT = 110;

  private final FreeSpace disk;
  private final IntSupplier leastMegabytes;
  private final Worker worker;
  private final Clock clock;
  private final Journal journal;
  private volatile Optional<Alarm> alarm = Optional.empty();
  // On the worker.
  private boolean isUnreadable;

  /**
   * @param leastMegabytes below which it is an alarm; 0 for never
   * @param worker may wait: a disk that hangs answers nobody
   */
  public NearlyFullDisk(
      FreeSpace disk, IntSupplier leastMegabytes, Worker worker, Clock clock, Journal journal) {
    this.disk = disk;
    this.leastMegabytes = leastMegabytes;
    this.worker = worker;
    this.clock = clock;
    this.journal = journal;
  }

  /** Begins; it ends with its worker. */
  public void start() {
    lookSoon();
    worker.every(() -> INTERVAL, this::look);
  }

  /** Looks soon: the setting is another one. */
  public void lookSoon() {
    worker.execute(this::look);
  }

  private void look() {
    long least = leastMegabytes.getAsInt() * MEGABYTE;
    if (least == 0) {
      alarm = Optional.empty();
      return;
    }
    try {
      judge(disk.bytes(), least);
      isUnreadable = false;
    } catch (IOException failure) {
      // What was seen last stays, as nobody knows better.
      if (!isUnreadable) {
        isUnreadable = true;
        journal.warn(
            "How many bytes are free at ("
                + disk.place()
                + ") cannot be read: "
                + failure
                + ". It is tried again each "
                + INTERVAL.toSeconds()
                + " s; until then no alarm says that this disk is nearly full.");
      }
    }
  }

  private void judge(long free, long least) {
    long enough = alarm.isPresent() ? least / 100 * HYSTERESIS_PERCENT : least;
    alarm =
        free >= enough
            ? Optional.empty()
            : Optional.of(
                Alarm.ofDisk(
                    sentence(free, least), alarm.map(Alarm::since).orElseGet(clock::instant)));
  }

  private String sentence(long free, long least) {
    return "The disk of ONOS's stores ("
        + disk.place()
        + ") has ("
        + free
        + ") bytes free, and the alarm (diskAlarmMegabytes) is at ("
        + least
        + "). On a full disk ONOS's own store can lose what it holds. Maybe remove old logs and"
        + " exports from it, or give it more room; the alarm ends at ("
        + least / 100 * HYSTERESIS_PERCENT
        + ") bytes.";
  }

  /** One, where there is too little room. */
  public List<Alarm> alarms() {
    return alarm.map(List::of).orElseGet(List::of);
  }
}
