package org.paceline.allocator.elephant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What one host has sent to another until any moment, where each record's bytes were sent at an
 * even rate from its start to its end. Piecewise linear: between two of its times the rate is the
 * same.
 */
final class Timeline {
  /** One or several records start or end. */
  private static final class Change implements Comparable<Change> {
    final long time;
    final int records;
    final double rate;

    Change(long time, int records, double rate) {
      this.time = time;
      this.records = records;
      this.rate = rate;
    }

    /** By rates, too, so that sums are rounded alike in whatever order the records came. */
    @Override
    public int compareTo(Change other) {
      int byTime = Long.compare(time, other.time);
      return byTime == 0 ? Double.compare(rate, other.rate) : byTime;
    }
  }

  private final long[] times;

  /** How many records last from the time on, until the next one. */
  private final int[] active;

  /** Bytes until the time. */
  private final double[] sent;

  private Timeline(long[] times, int[] active, double[] sent) {
    this.times = times;
    this.active = active;
    this.sent = sent;
  }

  /** Of the records that are linked to the last one; at least one of them sends something. */
  static Timeline of(RecordColumns records, int last) {
    List<Change> changes = new ArrayList<>();
    for (int i = last; i != RecordColumns.NONE; i = records.previous(i)) {
      if (records.bytes(i) > 0) {
        double rate = (double) records.bytes(i) / (records.end(i) - records.start(i));
        changes.add(new Change(records.start(i), 1, rate));
        changes.add(new Change(records.end(i), -1, -rate));
      }
    }
    Collections.sort(changes);
    long[] times = new long[changes.size()];
    int[] active = new int[changes.size()];
    double[] sent = new double[changes.size()];
    int size = 0;
    int lasting = 0;
    double rate = 0;
    double total = 0;
    for (Change change : changes) {
      if (size == 0 || times[size - 1] < change.time) {
        total += size == 0 ? 0 : rate * (change.time - times[size - 1]);
        times[size] = change.time;
        sent[size] = total;
        size++;
      }
      lasting += change.records;
      // Sums of rates leave a residue, which would send for as long as nobody does.
      rate = lasting == 0 ? 0 : rate + change.rate;
      active[size - 1] = lasting;
    }
    return new Timeline(
        Arrays.copyOf(times, size), Arrays.copyOf(active, size), Arrays.copyOf(sent, size));
  }

  /** When anything starts or ends, ascending, each moment once. */
  long[] times() {
    return times.clone();
  }

  double sentUntil(long time) {
    int at = at(time);
    if (at < 0) {
      return 0;
    }
    if (at == times.length - 1) {
      return sent[at];
    }
    double part = (double) (time - times[at]) / (times[at + 1] - times[at]);
    return sent[at] + (sent[at + 1] - sent[at]) * part;
  }

  /** The first moment from this one on at which something is sent. */
  long firstBusyFrom(long time) {
    int at = at(time);
    if (at >= 0 && active[at] > 0) {
      return time;
    }
    do {
      at++;
    } while (active[at] == 0);
    return times[at];
  }

  /** The last moment up to this one until which something is sent. */
  long lastBusyUntil(long time) {
    int at = at(time - 1);
    if (active[at] > 0) {
      return time;
    }
    while (active[at - 1] == 0) {
      at--;
    }
    return times[at];
  }

  /** The last of the times that is not after this one, or -1. */
  private int at(long time) {
    int found = Arrays.binarySearch(times, time);
    return found >= 0 ? found : -found - 2;
  }
}
