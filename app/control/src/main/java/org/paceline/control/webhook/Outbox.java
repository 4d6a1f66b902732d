package org.paceline.control.webhook;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.paceline.control.port.Records;

/**
 * What waits for its receivers, in the order in which it happened, as it outlives a controller. Any
 * thread calls.
 */
public final class Outbox {
  private final Records<Undelivered> records;
  private long last;

  public Outbox(Records<Undelivered> records) {
    this.records = records;
    last = records.keys().stream().mapToLong(Long::parseLong).max().orElse(0);
  }

  /** The name under which it waits, which sorts by time. */
  public synchronized String add(Undelivered waiting) {
    String name;
    do {
      // Another node of the cluster may have taken the number.
      name = String.format("%019d", ++last);
    } while (!records.add(name, waiting));
    return name;
  }

  public void remove(String name) {
    records.remove(name);
  }

  /** By name. */
  public NavigableMap<String, Undelivered> all() {
    NavigableMap<String, Undelivered> all = new TreeMap<>();
    for (String name : records.keys()) {
      records.find(name).ifPresent(waiting -> all.put(name, waiting));
    }
    return Collections.unmodifiableNavigableMap(all);
  }
}
