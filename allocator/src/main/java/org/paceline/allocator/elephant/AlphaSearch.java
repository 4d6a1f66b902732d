package org.paceline.allocator.elephant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/**
 * Finds alpha flows in flow records, which come in any order: whatever one host sends another in
 * windows of length T that hold more than H bytes, wherever they begin. A record tells nothing of
 * how its bytes are spread, so they count evenly from its start to its end: one that lasts longer
 * than T is an alpha flow if its rate alone makes H in T, or together with others. The paper looks
 * at each record alone, which depends on how exporters cut flows; here they add up. O(n log n) for
 * n records, of which only those are looked at closely whose ends have sent more than H in all.
 *
 * <p>Collects records until it is asked; no part of it may be used by two threads at once. Yan et
 * al. 2013, section II.
 */
public final class AlphaSearch {
  /** All that one host sent to another. */
  private static final class Ends {
    final IpAddress source;
    final IpAddress destination;
    long bytes;
    int last = RecordColumns.NONE;
    boolean isActive = true;

    Ends(IpAddress source, IpAddress destination) {
      this.source = source;
      this.destination = destination;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Ends
          && source.equals(((Ends) other).source)
          && destination.equals(((Ends) other).destination);
    }

    @Override
    public int hashCode() {
      return 31 * source.hashCode() + destination.hashCode();
    }
  }

  private final AlphaRule rule;
  private final List<AlphaFlow> settled = new ArrayList<>();
  private Map<Ends, Ends> ends = new HashMap<>();
  private RecordColumns records = new RecordColumns();

  public AlphaSearch(AlphaRule rule) {
    this.rule = rule;
  }

  public void add(FlowRecord record) {
    Ends fresh = new Ends(record.source(), record.destination());
    Ends known = ends.putIfAbsent(fresh, fresh);
    Ends of = known == null ? fresh : known;
    long sum = of.bytes + record.bytes();
    of.bytes = sum < 0 ? Long.MAX_VALUE : sum;
    of.last = records.add(record, of.last);
    of.isActive = true;
  }

  /**
   * Forgets the records between ends from which none was added since it was called before, so that
   * a search can go on for days; what they were is still among those {@link #found}. Nothing is
   * missed if each time between two calls is at least 2 T longer than any record that is added
   * lasts: no window of later records can meet one of those that are forgotten.
   */
  public void settle() {
    Map<Ends, Ends> open = new HashMap<>();
    RecordColumns kept = new RecordColumns();
    for (Ends one : ends.values()) {
      if (one.isActive) {
        int last = RecordColumns.NONE;
        for (int i = one.last; i != RecordColumns.NONE; i = records.previous(i)) {
          last = kept.add(records, i, last);
        }
        one.last = last;
        one.isActive = false;
        open.put(one, one);
      } else {
        settled.addAll(flows(one));
      }
    }
    ends = open;
    records = kept;
  }

  /** The alpha flows among all records so far, by when they began. */
  public List<AlphaFlow> found() {
    List<AlphaFlow> found = new ArrayList<>(settled);
    ends.values().forEach(one -> found.addAll(flows(one)));
    Collections.sort(found);
    return List.copyOf(found);
  }

  private List<AlphaFlow> flows(Ends one) {
    return one.bytes > rule.bytes()
        ? new AlphaWindows(Timeline.of(records, one.last), rule).flows(one.source, one.destination)
        : List.of();
  }
}
