package org.paceline.allocator.elephant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
  private final AlphaRule rule;
  private final List<AlphaFlow> settled = new ArrayList<>();
  private PairTable pairs = new PairTable();
  private RecordColumns records = new RecordColumns();

  public AlphaSearch(AlphaRule rule) {
    this.rule = rule;
  }

  public void add(FlowRecord record) {
    int pair = pairs.find(record.source(), record.destination());
    pairs.add(pair, record.bytes(), records.add(record, pairs.last(pair)));
  }

  /**
   * Forgets the records between ends from which none was added since it was called before, so that
   * a search can go on for days; what they were is still among those {@link #found}. Nothing is
   * missed if each time between two calls is at least 2 T longer than any record that is added
   * lasts: no window of later records can meet one of those that are forgotten.
   */
  public void settle() {
    PairTable open = new PairTable();
    RecordColumns kept = new RecordColumns();
    for (int pair = 0; pair < pairs.size(); pair++) {
      if (pairs.isActive(pair)) {
        int same = open.find(pairs.source(pair), pairs.destination(pair));
        int last = RecordColumns.NONE;
        for (int i = pairs.last(pair); i != RecordColumns.NONE; i = records.previous(i)) {
          last = kept.add(records, i, last);
        }
        open.add(same, pairs.bytes(pair), last);
        open.rest(same);
      } else {
        settled.addAll(flows(pair));
      }
    }
    pairs = open;
    records = kept;
  }

  /** The alpha flows among all records so far, by when they began. */
  public List<AlphaFlow> found() {
    List<AlphaFlow> found = new ArrayList<>(settled);
    for (int pair = 0; pair < pairs.size(); pair++) {
      found.addAll(flows(pair));
    }
    Collections.sort(found);
    return List.copyOf(found);
  }

  private List<AlphaFlow> flows(int pair) {
    return pairs.bytes(pair) > rule.bytes()
        ? new AlphaWindows(Timeline.of(records, pairs.last(pair)), rule)
            .flows(pairs.source(pair), pairs.destination(pair))
        : List.of();
  }
}
