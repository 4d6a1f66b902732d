package org.paceline.control.change;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.paceline.control.port.Records;

/**
 * All changes, in order, none ever altered or removed. A change is written down before it is made:
 * what could not be written down is not made, and what then fails is followed by an entry that says
 * so.
 */
public final class ChangeLog {
  private final Records<Change> records;
  private final Clock clock;

  public ChangeLog(Records<Change> records, Clock clock) {
    this.records = records;
    this.clock = clock;
  }

  /** Writes the change down and makes it. */
  public <T> T carryOut(
      Author author,
      String operation,
      String body,
      String before,
      String after,
      Supplier<T> change) {
    long number = append(author, operation, body, before, after);
    try {
      return change.get();
    } catch (RuntimeException failure) {
      append(
          author,
          "Change " + number + " was not made: " + failure.getMessage(),
          "",
          before,
          before);
      throw failure;
    }
  }

  private long append(Author author, String operation, String body, String before, String after) {
    long number = records.size();
    Change change;
    do {
      // Another node of the cluster may have taken the number.
      number++;
      change = Change.of(number, clock.instant(), author, operation, body, before, after);
    } while (!records.add(Long.toString(number), change));
    return number;
  }

  public Optional<Change> find(long number) {
    return records.find(Long.toString(number));
  }

  /** The newest first: at most so many that have a number below and are wanted. */
  public List<Change> newest(int limit, long below, Predicate<Change> wanted) {
    List<Change> found = new ArrayList<>();
    for (long n = Math.min(below - 1, records.size()); n > 0 && found.size() < limit; n--) {
      find(n).filter(wanted).ifPresent(found::add);
    }
    return found;
  }
}
