package org.paceline.elephants;

import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.paceline.allocator.elephant.AlphaFlow;
import org.paceline.allocator.elephant.AlphaRule;
import org.paceline.allocator.elephant.AlphaSearch;
import org.paceline.allocator.elephant.Effectiveness;
import org.paceline.allocator.elephant.ListRule;
import org.paceline.allocator.elephant.PrefixLengths;
import org.paceline.intents.flow.FlowRecord;

/** What is known of records: their number and bytes while they are read, then all the rest. */
final class Analysis {
  /** What exporters should be told for their active timeout, and some more. */
  private static final Duration LONGEST_RECORD = Duration.ofSeconds(90);

  /** What is asked. */
  record Question(AlphaRule alpha, ListRule list, ZoneId zone) {}

  /**
   * What was found.
   *
   * @param effectiveness by how long the prefixes are; those of the list come first
   */
  record Result(
      Question question,
      long records,
      long bytes,
      List<AlphaFlow> flows,
      Map<PrefixLengths, Effectiveness> effectiveness) {
    Effectiveness chosen() {
      return Objects.requireNonNull(effectiveness.get(question.list().lengths()));
    }
  }

  private final Question question;
  private final AlphaSearch search;
  private long records;
  private long bytes;
  private final long settlesEveryNanos;
  private long settled = System.nanoTime();

  Analysis(Question question) {
    this.question = question;
    this.search = new AlphaSearch(question.alpha());
    this.settlesEveryNanos =
        question.alpha().interval().multipliedBy(2).plus(LONGEST_RECORD).toNanos();
  }

  /** A record that comes when it was made: those from before are held for a few minutes only. */
  void addLive(FlowRecord record) {
    if (System.nanoTime() - settled > settlesEveryNanos) {
      search.settle();
      settled = System.nanoTime();
    }
    add(record);
  }

  void add(FlowRecord record) {
    search.add(record);
    records++;
    bytes += record.bytes();
  }

  Result result() {
    List<AlphaFlow> flows = search.found();
    Map<PrefixLengths, Effectiveness> effectiveness = new LinkedHashMap<>();
    ListRule rule = question.list();
    for (PrefixLengths lengths :
        List.of(rule.lengths(), PrefixLengths.SUBNETS, PrefixLengths.HOSTS)) {
      ListRule such = ListRule.of(lengths, rule.ageingDays(), rule.most());
      effectiveness.computeIfAbsent(lengths, any -> Effectiveness.of(flows, such, question.zone()));
    }
    return new Result(question, records, bytes, flows, effectiveness);
  }
}
