package org.paceline.flowrecords;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets what was not asked for longest, so that nobody fills the memory. */
final class RecentMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;
  private static final int FIRST_ROOM = 16;
  private static final float FULL = 0.75f;

  private final int most;

  RecentMap(int most) {
    super(FIRST_ROOM, FULL, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
