package org.paceline.allocator.elephant;

import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/**
 * Finds alpha flows as {@link AlphaSearch} does, in a memory that is bounded: of what one host
 * sends another, only the sum is kept for each slot of a quarter of T, with when the first of it
 * was sent and the last. Within a slot it counts as evenly spread.
 *
 * <p>So moments are blurred by a slot, and nothing else: whatever sends more than 2 H within T is
 * found, for a window of T meets five slots, and all but the first or all but the last of them have
 * half of it. Whatever is found has sent more than H within 5/4 T.
 *
 * <p>Where there are more sums than there is room for, half of the room is made at once, O(n log n)
 * for n sums. First those go that are old and no part of an alpha flow, which loses nothing. Then
 * those whose surroundings of four slots to each side have sent least: mice, as long as elephants
 * have room. No part of it may be used by two threads at once.
 */
public final class AlphaSums {
  private static final int SLOTS_OF_A_WINDOW = 4;

  /** An hour where T is a minute. Longer records tell nothing of bursts. */
  private static final int MOST_SLOTS_OF_A_RECORD = 240;

  private static final int FIRST_ROOM = 2;

  private final AlphaRule rule;
  private final int most;
  private final long slotMillis;
  private final Map<Ends, Slots> pairs = new HashMap<>();
  private int size;
  private long newest = Long.MIN_VALUE;
  private long letGoBytes;

  @AutoValue
  abstract static class Ends {
    abstract IpAddress source();

    abstract IpAddress destination();
  }

  /**
   * @param most how many sums are kept, of which each takes 300 bytes at most
   * @throws IllegalArgumentException if there is room for none
   */
  public AlphaSums(AlphaRule rule, int most) {
    if (most < 2) {
      throw new IllegalArgumentException(
          "There must be room for two sums at least, and not for " + most + ". Maybe 100000.");
    }
    this.rule = rule;
    this.most = most;
    this.slotMillis = (rule.interval().toMillis() + SLOTS_OF_A_WINDOW - 1) / SLOTS_OF_A_WINDOW;
  }

  /** How many sums are kept. */
  public int size() {
    return size;
  }

  /** What was let go for want of room, or because its record lasts longer than 60 T. */
  public long letGoBytes() {
    return letGoBytes;
  }

  public void add(FlowRecord record) {
    long start = record.startMillis();
    // One packet has a rate, too.
    long end = Math.max(start + 1, record.endMillis());
    long first = start / slotMillis;
    long last = (end - 1) / slotMillis;
    if (last - first > MOST_SLOTS_OF_A_RECORD) {
      letGo(record.bytes());
      return;
    }
    Ends ends = new AutoValue_AlphaSums_Ends(record.source(), record.destination());
    long told = 0;
    for (long slot = first; slot <= last; slot++) {
      long from = Math.max(start, slot * slotMillis);
      long until = Math.min(end, (slot + 1) * slotMillis);
      long sent =
          slot == last
              ? record.bytes()
              : (long) ((double) record.bytes() * (until - start) / (end - start));
      add(ends, slot, from, until, sent - told);
      told = sent;
    }
  }

  private void add(Ends ends, long slot, long from, long until, long bytes) {
    if (bytes == 0) {
      return;
    }
    newest = Math.max(newest, slot);
    Slots slots = pairs.computeIfAbsent(ends, any -> new Slots());
    if (slots.add(slot, from, until, bytes)) {
      size++;
      if (size >= most) {
        makeRoom();
      }
    }
  }

  private void letGo(long bytes) {
    long sum = letGoBytes + bytes;
    letGoBytes = sum < 0 ? Long.MAX_VALUE : sum;
  }

  private void makeRoom() {
    long old = newest - MOST_SLOTS_OF_A_RECORD - SLOTS_OF_A_WINDOW;
    pairs
        .values()
        .forEach(
            slots ->
                slots.keep((index, heat) -> heat > rule.bytes() || slots.number[index] >= old));
    count();
    if (size > most / 2) {
      long[] heats = new long[size];
      int filled = 0;
      for (Slots slots : pairs.values()) {
        for (int i = 0; i < slots.size; i++) {
          heats[filled++] = slots.heat(i);
        }
      }
      Arrays.sort(heats);
      int surplus = size - most / 2;
      long limit = heats[surplus - 1];
      int below = 0;
      while (below < surplus && heats[below] < limit) {
        below++;
      }
      int[] alike = {surplus - below};
      pairs
          .values()
          .forEach(
              slots ->
                  letGo(
                      slots.keep(
                          (index, heat) -> heat > limit || heat == limit && alike[0]-- <= 0)));
      count();
    }
  }

  private void count() {
    pairs.values().removeIf(slots -> slots.size == 0);
    size = pairs.values().stream().mapToInt(slots -> slots.size).sum();
  }

  /** The alpha flows among all so far, by when they began. O(n log n) for n sums. */
  public List<AlphaFlow> found() {
    AlphaSearch search = new AlphaSearch(rule);
    pairs.forEach((ends, slots) -> slots.to(search, ends));
    return search.found();
  }

  /** Says which sums stay. */
  private interface Choice {
    /**
     * @param heat what was sent in the slot and in the four to each side of it
     */
    boolean isKept(int index, long heat);
  }

  /** What one host sent another, by slots in ascending order. */
  private static final class Slots {
    long[] number = new long[FIRST_ROOM];
    private long[] from = new long[FIRST_ROOM];
    private long[] until = new long[FIRST_ROOM];
    private long[] bytes = new long[FIRST_ROOM];
    int size;

    /** Whether it is a new sum. */
    boolean add(long slot, long start, long end, long more) {
      int found = Arrays.binarySearch(number, 0, size, slot);
      if (found >= 0) {
        from[found] = Math.min(from[found], start);
        until[found] = Math.max(until[found], end);
        bytes[found] = Math.min(FlowRecord.MOST_BYTES, bytes[found] + more);
        return false;
      }
      int at = -found - 1;
      if (size == number.length) {
        resize(2 * size);
      }
      for (long[] column : List.of(number, from, until, bytes)) {
        System.arraycopy(column, at, column, at + 1, size - at);
      }
      number[at] = slot;
      from[at] = start;
      until[at] = end;
      bytes[at] = more;
      size++;
      return true;
    }

    private void resize(int room) {
      number = Arrays.copyOf(number, room);
      from = Arrays.copyOf(from, room);
      until = Arrays.copyOf(until, room);
      bytes = Arrays.copyOf(bytes, room);
    }

    long heat(int index) {
      long sum = bytes[index];
      for (int i = index - 1; i >= 0 && number[i] >= number[index] - SLOTS_OF_A_WINDOW; i--) {
        sum += bytes[i];
      }
      for (int i = index + 1; i < size && number[i] <= number[index] + SLOTS_OF_A_WINDOW; i++) {
        sum += bytes[i];
      }
      return sum;
    }

    /** The bytes of those that were not kept. */
    long keep(Choice choice) {
      boolean[] kept = new boolean[size];
      for (int i = 0; i < size; i++) {
        kept[i] = choice.isKept(i, heat(i));
      }
      long gone = 0;
      int left = 0;
      for (int i = 0; i < size; i++) {
        if (kept[i]) {
          number[left] = number[i];
          from[left] = from[i];
          until[left] = until[i];
          bytes[left] = bytes[i];
          left++;
        } else {
          gone += bytes[i];
        }
      }
      if (left < size && left > 0) {
        resize(Math.max(FIRST_ROOM, left));
      }
      size = left;
      return gone;
    }

    void to(AlphaSearch search, Ends ends) {
      for (int i = 0; i < size; i++) {
        search.add(FlowRecord.of(ends.source(), ends.destination(), from[i], until[i], bytes[i]));
      }
    }
  }
}
