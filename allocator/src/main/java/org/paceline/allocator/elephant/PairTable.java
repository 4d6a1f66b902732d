package org.paceline.allocator.elephant;

import java.util.Arrays;
import org.paceline.intents.address.IpAddress;

/**
 * What each host sent to each other one, for millions of pairs: a hash table with open addressing
 * in a few arrays, since objects would take most of a search's time and memory.
 */
final class PairTable {
  private static final int FIRST_ROOM = 1_024;

  /** Both addresses of a pair side by side, so that they come from memory at once. */
  private static final int KEY = 4;

  /** 2^64 divided by the golden ratio, made odd: Knuth's multiplier. */
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

  /** Half of the slots are empty: 1 + the number of the pair, or 0. */
  private int[] slots = new int[2 * FIRST_ROOM];

  private long[] keys = new long[KEY * FIRST_ROOM];
  private long[] bytes = new long[FIRST_ROOM];
  private int[] last = new int[FIRST_ROOM];
  private boolean[] active = new boolean[FIRST_ROOM];
  private int size;

  int size() {
    return size;
  }

  /** The number of the pair, which is new if it was not known. */
  int find(IpAddress source, IpAddress destination) {
    int slot = slot(source.high(), source.low(), destination.high(), destination.low());
    if (slots[slot] > 0) {
      return slots[slot] - 1;
    }
    if (size == bytes.length) {
      grow();
      slot = slot(source.high(), source.low(), destination.high(), destination.low());
    }
    keys[KEY * size] = source.high();
    keys[KEY * size + 1] = source.low();
    keys[KEY * size + 2] = destination.high();
    keys[KEY * size + 3] = destination.low();
    bytes[size] = 0;
    last[size] = RecordColumns.NONE;
    slots[slot] = ++size;
    return size - 1;
  }

  /** Where the pair is, or the empty slot where it would be. */
  private int slot(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
    // Addresses of one site differ in a few low bits, which have to reach all bits of the slot.
    long hash = (sourceLow * GOLDEN + destinationLow) * GOLDEN;
    hash = (hash ^ hash >>> 29) + (31 * sourceHigh + destinationHigh) * GOLDEN;
    hash = (hash ^ hash >>> 32) * GOLDEN;
    int slot = (int) (hash >>> 32) & slots.length - 1;
    while (slots[slot] > 0) {
      int key = KEY * (slots[slot] - 1);
      if (keys[key + 1] == sourceLow
          && keys[key + 3] == destinationLow
          && keys[key] == sourceHigh
          && keys[key + 2] == destinationHigh) {
        return slot;
      }
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private void grow() {
    int room = Math.multiplyExact(2, bytes.length);
    keys = Arrays.copyOf(keys, Math.multiplyExact(KEY, room));
    bytes = Arrays.copyOf(bytes, room);
    last = Arrays.copyOf(last, room);
    active = Arrays.copyOf(active, room);
    slots = new int[Math.multiplyExact(2, room)];
    for (int pair = 0; pair < size; pair++) {
      int key = KEY * pair;
      slots[slot(keys[key], keys[key + 1], keys[key + 2], keys[key + 3])] = pair + 1;
    }
  }

  IpAddress source(int pair) {
    return IpAddress.ofIpv6(keys[KEY * pair], keys[KEY * pair + 1]);
  }

  IpAddress destination(int pair) {
    return IpAddress.ofIpv6(keys[KEY * pair + 2], keys[KEY * pair + 3]);
  }

  /** What it has sent in all. */
  long bytes(int pair) {
    return bytes[pair];
  }

  /** Its last record, which leads to those before it. */
  int last(int pair) {
    return last[pair];
  }

  /** Whether it has had a record since it was made or {@link #rest} was called. */
  boolean isActive(int pair) {
    return active[pair];
  }

  void add(int pair, long more, int record) {
    long sum = bytes[pair] + more;
    bytes[pair] = sum < 0 ? Long.MAX_VALUE : sum;
    last[pair] = record;
    active[pair] = true;
  }

  void rest(int pair) {
    active[pair] = false;
  }
}
