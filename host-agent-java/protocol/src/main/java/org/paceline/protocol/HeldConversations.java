package org.paceline.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one side was told of the conversations that are open on a host, kept over the end of a
 * stream, so that the next one begins with the differences only. Any thread may ask.
 */
public final class HeldConversations {
  private final Map<String, ConversationOpened> byId = new TreeMap<>();

  /** Ordered by id. */
  public synchronized List<ConversationOpened> all() {
    return List.copyOf(byId.values());
  }

  public synchronized int size() {
    return byId.size();
  }

  public synchronized boolean has(String id) {
    return byId.containsKey(id);
  }

  /** All there is, whatever was held before. */
  public synchronized void replace(Collection<ConversationOpened> all) {
    byId.clear();
    all.forEach(this::open);
  }

  public synchronized void open(ConversationOpened opened) {
    byId.put(opened.getId(), opened);
  }

  public synchronized void close(Collection<String> ids) {
    byId.keySet().removeAll(new HashSet<>(ids));
  }

  /** The rate that is in force now for a conversation, as its host says. */
  public synchronized void rate(String id, long bitsPerSecond) {
    byId.computeIfPresent(
        id,
        (same, known) ->
            known.getInstalledRateBitsPerSecond() == bitsPerSecond
                ? known
                : known.toBuilder().setInstalledRateBitsPerSecond(bitsPerSecond).build());
  }

  /** The buckets in which what is held is not what these digests are of. */
  public List<Integer> differing(List<Long> digests) {
    List<Long> held = ConversationDigests.of(all(), digests.size());
    List<Integer> differing = new ArrayList<>();
    for (int i = 0; i < digests.size(); i++) {
      if (!held.get(i).equals(digests.get(i))) {
        differing.add(i);
      }
    }
    return differing;
  }

  /** All that is open in these buckets, whatever was held of them before. */
  public synchronized void replace(
      Collection<Integer> buckets, int outOf, Collection<ConversationOpened> all) {
    Set<Integer> replaced = new HashSet<>(buckets);
    byId.keySet().removeIf(id -> replaced.contains(ConversationDigests.bucket(id, outOf)));
    all.forEach(this::open);
  }
}
