package org.paceline.control.audit;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.paceline.control.port.Records;

/**
 * All changes, in order, none ever altered; the oldest are removed when they are exported ({@link
 * #retention}). A change is written down before it is made: what could not be written down is not
 * made, and what then fails is followed by an entry that says so. It is noted as begun until it is
 * made and whoever is to be told of it is in the outbox; what a crash leaves begun is looked up at
 * the next start, and what is not there gets such an entry, too.
 */
public final class ChangeLog {
  private final NumberedRecords<Change> records;
  private final Records<PendingChange> begun;
  private final String mine;
  private final Clock clock;

  /** What an earlier controller left begun, and none of what this one begins. */
  private final Map<String, PendingChange> cutOff = new HashMap<>();

  /**
   * @param begun where all controllers of a cluster note what they are about to do
   * @param node this controller's name
   */
  public ChangeLog(
      NumberedRecords<Change> records, Records<PendingChange> begun, String node, Clock clock) {
    this.records = records;
    this.begun = begun;
    this.mine = node + "/";
    this.clock = clock;
    begun.keys().stream()
        .filter(note -> note.startsWith(mine))
        .forEach(note -> begun.find(note).ifPresent(left -> cutOff.put(note, left)));
  }

  /**
   * Writes the change down and makes it.
   *
   * @param change makes it, and is told its time
   */
  public <T> T carryOut(
      Author author,
      Subject subject,
      String operation,
      String body,
      String before,
      String after,
      Function<Instant, T> change) {
    // Of its own: another thread may be after the same number.
    String note = mine + UUID.randomUUID();
    Change written = begin(note, author, subject, operation, body, before, after);
    T made;
    try {
      made = change.apply(written.at());
    } catch (RuntimeException failure) {
      try {
        refute(written, String.valueOf(failure.getMessage()));
        end(note, subject);
      } catch (RuntimeException storeIsAway) {
        // It stays begun: the next start looks it up.
        failure.addSuppressed(storeIsAway);
      }
      throw failure;
    }
    try {
      end(note, subject);
    } catch (RuntimeException storeIsAway) {
      // It is made all the same, which the next start finds out.
    }
    return made;
  }

  private Change begin(
      String note,
      Author author,
      Subject subject,
      String operation,
      String body,
      String before,
      String after) {
    long number;
    Change change;
    do {
      // Another thread, or another node of the cluster, may have taken the number before.
      number = records.newest() + 1;
      change = Change.of(number, clock.instant(), author, operation, body, before, after);
      if (subject.kind().isStored()) {
        begun.replace(note, PendingChange.of(subject, change));
      }
    } while (!records.add(number, change));
    return change;
  }

  private void end(String note, Subject subject) {
    if (subject.kind().isStored()) {
      begun.remove(note);
    }
  }

  private void refute(Change change, String why) {
    long number;
    do {
      number = records.newest() + 1;
    } while (!records.add(number, change.refutation(number, clock.instant(), why)));
  }

  /**
   * Brings the log to what is in the store, where an earlier controller was cut off; to be called
   * once, when whoever listens to changes is there.
   *
   * @param isMade looks a change up, and sees to it that who is to be told of it is told
   */
  public void settle(Predicate<PendingChange> isMade) {
    cutOff.forEach(
        (note, left) -> {
          settle(left, isMade);
          begun.remove(note);
        });
    cutOff.clear();
  }

  private void settle(PendingChange left, Predicate<PendingChange> isMade) {
    Change change = left.change();
    // Else the crash came before its entry, or another node took the number.
    boolean isWritten = find(change.number()).equals(Optional.of(change));
    if (isWritten && !isRefuted(change) && !isMade.test(left)) {
      refute(change, "the controller ended before.");
    }
  }

  private boolean isRefuted(Change change) {
    Optional<Long> refuted = Optional.of(change.number());
    return records.numbers().tailSet(change.number(), false).stream()
        .flatMap(number -> find(number).stream())
        .anyMatch(one -> one.refutes().equals(refuted));
  }

  /** Whether a change that this request asked for was made. */
  public boolean wasMade(Request request) {
    for (Change one : records.newestFirst(Long.MAX_VALUE)) {
      if (one.author().request().equals(Optional.of(request))) {
        return one.refutes().isEmpty();
      }
      if (one.at().isBefore(request.firstAt())) {
        return false;
      }
    }
    return false;
  }

  /**
   * What removes the oldest changes. Those that are under way stay, and what says that they were
   * not made; so does what a request that may come again has made.
   *
   * @param kept how many of the newest stay in any case
   */
  public RecordRetention<Change> retention(IntSupplier kept, RecordExport<Change> export) {
    return new RecordRetention<>(
        records, kept, export, one -> one.author().mayAskAgain(clock.instant()), this::isUnderWay);
  }

  private Predicate<Change> isUnderWay() {
    Set<Long> numbers = new HashSet<>();
    for (String note : begun.keys()) {
      Optional<PendingChange> left = begun.find(note);
      if (left.isEmpty()) {
        // It ended meanwhile, or a newer Paceline wrote it: which it is the next look tells.
        return one -> true;
      }
      numbers.add(left.get().change().number());
    }
    return one ->
        numbers.contains(one.number()) || one.refutes().filter(numbers::contains).isPresent();
  }

  public Optional<Change> find(long number) {
    return records.find(number);
  }

  /**
   * @param hint where those that are kept are listed, as a sentence
   * @throws Absent if it is not kept
   */
  public Change mustFind(long number, String hint) {
    return find(number).orElseThrow(() -> records.absent("change", number, hint));
  }

  /** The newest first: at most so many that have a number below and are wanted. */
  public List<Change> newest(int limit, long below, Predicate<Change> wanted) {
    List<Change> found = new ArrayList<>();
    Iterator<Change> all = records.newestFirst(below).iterator();
    while (found.size() < limit && all.hasNext()) {
      Change one = all.next();
      if (wanted.test(one)) {
        found.add(one);
      }
    }
    return found;
  }
}
