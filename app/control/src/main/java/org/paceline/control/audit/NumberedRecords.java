package org.paceline.control.audit;

import java.util.Iterator;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.paceline.control.port.Records;

/**
 * Values under the numbers from 1 on, each added above all others and never altered. The oldest may
 * have been exported and removed ({@link RecordRetention}), in blocks of a hundred numbers, so how
 * many there are does not say which is the newest. Any thread calls, and other nodes of a cluster
 * add and remove, too.
 *
 * <p>The newest is found by looking whether there is one above the newest seen before. Where there
 * is none, and its block was not exported either, none was ever added: a block is noted as exported
 * before any of it is removed. Two questions to the store, and one for each number added since.
 */
public final class NumberedRecords<T> {
  /** How many numbers are exported into one file, and then removed. */
  public static final int BLOCK = 100;

  private final String kind;
  private final Records<T> records;
  private final Records<String> exported;
  private final AtomicLong seen;

  /**
   * @param kind of the records, as one word
   * @param exported where blocks are noted that were exported, of all kinds
   */
  public NumberedRecords(String kind, Records<T> records, Records<String> exported) {
    this.kind = kind;
    this.records = records;
    this.exported = exported;
    this.seen = new AtomicLong(greatest());
  }

  /** 0 where none was ever added. */
  public long newest() {
    long number = seen.get();
    while (true) {
      if (records.contains(key(number + 1))) {
        number++;
      } else if (isExported(number + 1)) {
        // So many were added since that others have removed some of these.
        long greatest = greatest();
        if (greatest <= number) {
          return number;
        }
        number = greatest;
      } else {
        return seen.accumulateAndGet(number, Math::max);
      }
    }
  }

  /** Those that are kept, whether they can be read or not. O(n) in these. */
  NavigableSet<Long> numbers() {
    return records.keys().stream()
        .map(Long::valueOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private long greatest() {
    return records.keys().stream().mapToLong(Long::parseLong).max().orElse(0);
  }

  /** Empty where it is not kept, and where a newer Paceline wrote it. */
  public Optional<T> find(long number) {
    return records.find(key(number));
  }

  /** Adds what is to be the newest; false where somebody was quicker to take the number. */
  public boolean add(long number, T value) {
    if (!records.add(key(number), value)) {
      return false;
    }
    if (isExported(number)) {
      // We were held up until others had taken the number and removed it again.
      records.remove(key(number));
      return false;
    }
    return true;
  }

  /** What can be read of all that are kept, from the newest below a number to the oldest. */
  public Iterable<T> newestFirst(long below) {
    return () -> new Descent(Math.min(below - 1, newest()));
  }

  /** Where it is, as a sentence, if it was exported and is not kept here any more. */
  public Optional<String> exportedTo(long number) {
    return isRemoved(number) ? exported.find(block(number)) : Optional.empty();
  }

  /**
   * The refusal of a number that is not kept.
   *
   * @param what it would be, such as version
   * @param hint where those that are kept can be found, as a sentence
   */
  public Absent absent(String what, long number, String hint) {
    return new Absent(
        exportedTo(number)
            .map(place -> "The " + what + " (" + number + ") is not kept here any more. " + place)
            .orElseGet(() -> "There is no " + what + " (" + number + "). " + hint));
  }

  private boolean isRemoved(long number) {
    return isExported(number) && !records.contains(key(number));
  }

  boolean isExported(long number) {
    return exported.contains(block(number));
  }

  /**
   * All of a block is written down elsewhere, for good: from now on it may be removed.
   *
   * @param place where, as a sentence
   */
  void noteExported(long number, String place) {
    exported.add(block(number), place);
  }

  void remove(long number) {
    records.remove(key(number));
  }

  private String block(long number) {
    return kind + "/" + firstOfBlock(number);
  }

  static long firstOfBlock(long number) {
    return number - Math.floorMod(number - 1, BLOCK);
  }

  private static String key(long number) {
    return Long.toString(number);
  }

  /** Number by number down to where some were removed; what is left below that the keys tell. */
  private final class Descent implements Iterator<T> {
    private long number;
    private Optional<Iterator<Long>> scattered = Optional.empty();
    private Optional<T> next = Optional.empty();

    Descent(long from) {
      number = from;
    }

    @Override
    public boolean hasNext() {
      while (next.isEmpty() && number > 0) {
        next = find(number);
        if (next.isEmpty() && scattered.isEmpty() && isRemoved(number)) {
          scattered = Optional.of(numbers().headSet(number, false).descendingIterator());
        }
        number = scattered.map(left -> left.hasNext() ? left.next() : 0L).orElse(number - 1);
      }
      return next.isPresent();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      T found = next.orElseThrow();
      next = Optional.empty();
      return found;
    }
  }
}
