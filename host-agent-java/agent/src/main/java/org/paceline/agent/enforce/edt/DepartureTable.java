package org.paceline.agent.enforce.edt;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.paceline.agent.bpf.SharedTable;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;

/**
 * The conversations of one interface as departures.bpf.c keeps them: {@code struct conversation},
 * in the kernel's own memory. A rate is one number written, a ceiling another. The pool that they
 * borrow from is a row like theirs, which is there also while nobody may borrow.
 */
public final class DepartureTable implements Closeable {
  private static final int ROWS = 65_536;
  private static final int RATE = 0;
  private static final int NEXT = 1;
  private static final int BYTES = 2;
  private static final int PACKETS = 3;
  private static final int DROPPED = 4;
  private static final int CEILING = 5;
  private static final int COLUMNS = 7;
  private static final long HORIZON_NANOS = 2_000_000_000L;

  private final SharedTable table;
  private final BitSet there = new BitSet();

  DepartureTable(SharedTable table) {
    this.table = table;
    for (int minor = 0; minor < ROWS; minor++) {
      there.set(minor, table.get(minor, RATE) != 0 || minor == ClassIds.POOL);
    }
  }

  public static DepartureTable open(Path pins) throws IOException {
    return new DepartureTable(SharedTable.open(pins.resolve("conversations"), ROWS, COLUMNS));
  }

  void apply(ClassChanges changes) {
    for (int minor : changes.removed()) {
      table.set(minor, RATE, 0);
      there.clear(minor);
    }
    changes.added().forEach(this::add);
    changes.changed().forEach(this::change);
  }

  private void add(int minor, ClassRate rate) {
    there.set(minor);
    if (minor == ClassIds.POOL) {
      // Its clock goes on: what it has let somebody borrow has not left yet.
      change(minor, rate);
      return;
    }
    for (int column = COLUMNS - 1; column > RATE; column--) {
      table.set(minor, column, 0);
    }
    write(minor, rate);
  }

  /** The ceiling first: of a class that is made, a packet that finds its rate finds both. */
  private void write(int minor, ClassRate rate) {
    table.set(minor, CEILING, rate.ceilingBitsPerSecond() / Byte.SIZE);
    table.set(minor, RATE, rate.bitsPerSecond() / Byte.SIZE);
  }

  /**
   * One packet at a rate of some bytes a second may have taken what would be minutes at the new
   * one. Beyond the horizon nothing is in the queue, so what comes then overtakes nothing.
   */
  private void change(int minor, ClassRate rate) {
    write(minor, rate);
    long furthest = System.nanoTime() + HORIZON_NANOS;
    long next = table.get(minor, NEXT);
    while (next > furthest && !table.replace(minor, NEXT, next, furthest)) {
      next = table.get(minor, NEXT);
    }
  }

  Map<Integer, ClassStatistics> all() {
    return some(there.stream().boxed().toList());
  }

  Map<Integer, ClassStatistics> some(Collection<Integer> minors) {
    Map<Integer, ClassStatistics> some = new HashMap<>();
    // The program's clock too: CLOCK_MONOTONIC.
    long now = System.nanoTime();
    for (int minor : minors) {
      long rate = table.get(minor, RATE);
      if (rate != 0 || minor == ClassIds.POOL) {
        double ahead = Math.max(0, table.get(minor, NEXT) - now) / 1e9;
        some.put(
            minor,
            new ClassStatistics(
                minor,
                ClassRate.upTo(rate * Byte.SIZE, table.get(minor, CEILING) * Byte.SIZE),
                table.get(minor, BYTES),
                table.get(minor, PACKETS),
                table.get(minor, DROPPED),
                Math.round(ahead * rate)));
      }
    }
    return some;
  }

  @Override
  public void close() {
    table.close();
  }
}
