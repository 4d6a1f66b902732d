package org.paceline.control.rollout;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What hosts were told and have not answered. First rates are told without waiting for any answer;
 * rates that yield, up to so many at once; all others one batch after the other. Nobody waits for
 * the answer to a first rate, so newcomers, however many, hold up nothing.
 */
final class UnansweredBatches {
  private final Map<String, TreeMap<Long, Batch>> batches = new HashMap<>();

  /** Why a rate is told. */
  enum Kind {
    /** Whoever was told none is a newcomer, or is held by somebody else now. */
    FIRST,
    /** It makes room for others. */
    YIELDING,
    /** It takes room, or changes something else. */
    OTHER
  }

  private static final class Batch {
    final int yielding;
    final boolean hasOthers;

    Batch(int yielding, boolean hasOthers) {
      this.yielding = yielding;
      this.hasOthers = hasOthers;
    }
  }

  /**
   * @param yielding how many rates in it yield
   * @param hasOthers whether others are in it that are no first ones
   */
  void sent(String host, long number, int yielding, boolean hasOthers) {
    batches.computeIfAbsent(host, h -> new TreeMap<>()).put(number, new Batch(yielding, hasOthers));
  }

  /**
   * The host has answered this and all before, for it answers in their order; or it did not in
   * time.
   *
   * @return false where that was so already
   */
  boolean end(String host, long number) {
    TreeMap<Long, Batch> ofHost = batches.get(host);
    if (ofHost == null) {
      return false;
    }
    Map<Long, Batch> upTo = ofHost.headMap(number, true);
    boolean some = !upTo.isEmpty();
    upTo.clear();
    if (ofHost.isEmpty()) {
      batches.remove(host);
    }
    return some;
  }

  void forget(String host) {
    batches.remove(host);
  }

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** How many of the host's rates that yield it has not answered. */
  int yielding(String host) {
    return of(host).values().stream().mapToInt(batch -> batch.yielding).sum();
  }

  /** Whether rates that take room, or other changes, wait for its answer. */
  boolean hasOthers(String host) {
    return of(host).values().stream().anyMatch(batch -> batch.hasOthers);
  }

  private Map<Long, Batch> of(String host) {
    return batches.getOrDefault(host, new TreeMap<>());
  }
}
