package org.paceline.control.audit;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Exports the oldest of numbered records and then removes them, a block at a time. A block is noted
 * as exported when all of it is written, and only then removed; so wherever a crash comes, what is
 * not kept is exported. Until it is noted it is exported again, to the same place; afterwards only
 * the removal goes on. Several nodes may do so at once, each exporting for itself. One thread
 * calls.
 */
public final class RecordRetention<T> {
  private final NumberedRecords<T> records;
  private final IntSupplier kept;
  private final RecordExport<T> export;
  private final Predicate<T> mayBeAskedFor;
  private final Supplier<Predicate<T>> inUse;

  /** The numbers that are still to be looked at. */
  private NavigableSet<Long> left = new TreeSet<>();

  /** Of numbers below nothing is left. */
  private long doneBelow = 1;

  /** Another node removes what was to be exported here. */
  private static final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * @param kept how many of the newest stay in any case
   * @param mayBeAskedFor what stays, together with all that is newer
   * @param inUse looks up what else stays; asked once a block
   */
  public RecordRetention(
      NumberedRecords<T> records,
      IntSupplier kept,
      RecordExport<T> export,
      Predicate<T> mayBeAskedFor,
      Supplier<Predicate<T>> inUse) {
    this.records = records;
    this.kept = kept;
    this.export = export;
    this.mayBeAskedFor = mayBeAskedFor;
    this.inUse = inUse;
  }

  /**
   * Exports and removes what is too many now. O(n) in all that are kept, where there is any.
   *
   * @throws IOException if something cannot be exported; of its block nothing is removed
   */
  void run() throws IOException {
    look();
    // It may be long, and whoever closes the thread must not wait for it.
    while (!left.isEmpty() && !Thread.currentThread().isInterrupted()) {
      next();
    }
  }

  void look() {
    long end = NumberedRecords.firstOfBlock(Math.max(1, records.newest() - kept.getAsInt() + 1));
    left = new TreeSet<>();
    if (end > doneBelow) {
      // Also what stayed because it was in use, and may be so no longer.
      left.addAll(records.numbers().headSet(end, false));
      doneBelow = left.isEmpty() ? end : left.first();
    }
  }

  /** One block. */
  void next() throws IOException {
    long first = NumberedRecords.firstOfBlock(left.first());
    NavigableSet<Long> block = left.headSet(first + NumberedRecords.BLOCK, false);
    List<Long> numbers = List.copyOf(block);
    block.clear();
    if (records.isExported(first) || export(first, numbers)) {
      Predicate<T> stays = inUse.get();
      for (long number : numbers) {
        records
            .find(number)
            .filter(one -> !stays.test(one))
            .ifPresent(one -> records.remove(number));
      }
    }
  }

  /** Whether all of it is exported; what cannot be read keeps its block from that. */
  private boolean export(long first, List<Long> numbers) throws IOException {
    for (long number : numbers) {
      Optional<T> one = records.find(number);
      if (one.isEmpty()) {
        return false;
      }
      if (mayBeAskedFor.test(one.get())) {
        left.clear();
        return false;
      }
    }
    try {
      String place =
          export.write(
              first,
              first + NumberedRecords.BLOCK - 1,
              () -> numbers.stream().map(this::mustFind).iterator());
      records.noteExported(first, place);
      return true;
    } catch (Overtaken byAnotherNode) {
      return false;
    }
  }

  private T mustFind(long number) {
    return records.find(number).orElseThrow(Overtaken::new);
  }
}
