package org.paceline.control.experience;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.Records;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.kpi.LikelyCause;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * Learns from what applications report whether utility functions keep what they promise. A report
 * counts for the cell that its conversation was granted, where nothing else explains it: neither
 * more packets than were granted, nor what {@link CauseSearch} finds.
 *
 * <p>What it finds is an alarm and a proposal; no plan is made by it before an operator puts the
 * proposal in force.
 */
public final class TableLearning {
  /** Of different names, so that it stays bounded whatever is put in force. */
  static final int MOST_TABLES = 100;

  private static final Duration SAVED_EVERY = Duration.ofMinutes(1);

  /** Above this part of its grant a conversation has borrowed, and its grant explains nothing. */
  private static final double BORROWED = 1.1;

  private final Records<LearnedTable> records;
  private final Supplier<IntentTree> tree;
  private final Clock clock;
  private final Executor writer;
  private final Set<String> unsaved = new HashSet<>();
  private final Map<String, LearnedTable> tables = new TreeMap<>();
  private Map<ConversationId, Lesson> lessons = Map.of();
  private Instant saved;
  private volatile List<LearnedTable> known = List.of();

  /**
   * @param records by the names of the functions; what is there is gone on with
   * @param tree the intent tree in force
   * @param writer writes records, one after the other: a store may let it wait, and nobody else
   */
  public TableLearning(
      Records<LearnedTable> records, Supplier<IntentTree> tree, Clock clock, Executor writer) {
    this.records = records;
    this.tree = tree;
    this.clock = clock;
    this.writer = writer;
    this.saved = clock.instant();
    for (String name : records.keys()) {
      records.find(name).ifPresent(table -> tables.put(name, table));
    }
    known = List.copyOf(tables.values());
  }

  /** By name; on any thread. */
  public List<LearnedTable> tables() {
    return known;
  }

  /**
   * To be asked once a second, on the worker, when experiences are fresh. O(n) in conversations.
   *
   * @return an alarm for each function whose promise does not hold
   */
  public List<Alarm> look(Collection<Proof> proofs) {
    Instant now = clock.instant();
    List<Proof> promised =
        proofs.stream()
            .filter(proof -> proof.requested().kpiModel().isPresent())
            .filter(ExperienceGaps::isServed)
            .collect(Collectors.toUnmodifiableList());
    OppositeDirections opposites =
        new OppositeDirections(
            promised.stream()
                .filter(proof -> utility(proof).isPresent())
                .collect(Collectors.toUnmodifiableList()));
    Map<ConversationId, Lesson> still = new HashMap<>();
    for (Proof proof : promised) {
      ConversationId id = proof.conversation().id();
      Grant grant = proof.computed().orElseThrow();
      Lesson before = lessons.get(id);
      Lesson lesson = before == null ? new Lesson(grant, now) : before.under(grant, now);
      lesson.sent(proof.measured());
      still.put(id, lesson);
      utility(proof).ifPresent(felt -> hear(proof, opposites, lesson, felt, now));
    }
    lessons = still;
    if (!unsaved.isEmpty() && !now.isBefore(saved.plus(SAVED_EVERY))) {
      save(now);
    }
    return known.stream()
        .filter(table -> !table.away().isEmpty() && isInForce(table))
        .map(TableLearning::alarm)
        .collect(Collectors.toUnmodifiableList());
  }

  private void hear(
      Proof proof, OppositeDirections opposites, Lesson lesson, Utility felt, Instant now) {
    Instant report = proof.experience().orElseThrow().at();
    if (lesson.isNew(report)) {
      boolean counts =
          lesson.mayCount(report) && isExplainedByItsGrant(proof, opposites.of(proof), lesson);
      lesson.came(report, counts);
      if (counts) {
        Grant grant = proof.computed().orElseThrow();
        learn(proof.requested().utilityFunction().value(), grant, felt, now);
      }
    }
  }

  private static Optional<Utility> utility(Proof proof) {
    return proof.experience().flatMap(Experience::utility);
  }

  private boolean isInForce(LearnedTable table) {
    return tree.get().policies().values().stream()
        .flatMap(Policy::functions)
        .anyMatch(table.promised()::equals);
  }

  /** The direction that is promised less decides what the user of both experiences. */
  private static boolean isExplainedByItsGrant(
      Proof proof, Optional<Proof> opposite, Lesson lesson) {
    Grant grant = proof.computed().orElseThrow();
    Optional<Grant> back = opposite.flatMap(Proof::computed);
    if (back.filter(other -> !isLess(grant, proof, other, opposite.orElseThrow())).isPresent()) {
      return false;
    }
    double most = BORROWED * grant.rate().bitsPerSecond();
    if (lesson.mostSent().filter(sent -> sent.bitsPerSecond() > most).isPresent()) {
      return false;
    }
    Latency roundTrip = back.map(Grant::delay).orElse(grant.delay()).plus(grant.delay());
    return CauseSearch.likely(
            proof.experience().orElseThrow(), grant, roundTrip, proof.tcp(), lesson.mostSent())
        == LikelyCause.TABLE_WRONG;
  }

  /** Of two that are promised the same, the one that carries more. */
  private static boolean isLess(Grant grant, Proof proof, Grant other, Proof opposite) {
    int order = grant.utility().compareTo(other.utility());
    return order < 0 || order == 0 && ExperienceGaps.carriesMore(proof, opposite);
  }

  private void learn(UtilityFunction function, Grant grant, Utility felt, Instant now) {
    int throughputBin = throughputBin(function, grant.rate());
    int delayBin = delayBin(function, grant.delay());
    if (throughputBin < 0 || delayBin == function.delayBins()) {
      return;
    }
    String name = function.name();
    LearnedTable before = tables.get(name);
    if (before == null && tables.size() >= MOST_TABLES && !forgetOne()) {
      return;
    }
    LearnedTable table =
        before != null && before.promised().equals(function)
            ? before
            : LearnedTable.of(function, now, List.of());
    double utility = (double) felt.billionths() / Utility.SCALE;
    tables.put(name, table.with(throughputBin, delayBin, utility));
    unsaved.add(name);
    known = List.copyOf(tables.values());
  }

  /** Of what nobody is promised any more; false where there is none. */
  private boolean forgetOne() {
    Optional<String> old =
        tables.values().stream()
            .filter(table -> !isInForce(table))
            .map(LearnedTable::name)
            .findFirst();
    old.ifPresent(
        name -> {
          tables.remove(name);
          unsaved.remove(name);
          writer.execute(() -> records.remove(name));
        });
    return old.isPresent();
  }

  /** The greatest that the rate reaches; -1 for none. */
  private static int throughputBin(UtilityFunction function, DataRate rate) {
    int bin = -1;
    while (bin + 1 < function.throughputBins()
        && function.throughput(bin + 1).compareTo(rate) <= 0) {
      bin++;
    }
    return bin;
  }

  /** The least that allows the delay; one beyond the last for none. */
  private static int delayBin(UtilityFunction function, Latency delay) {
    int bin = 0;
    while (bin < function.delayBins() && function.delay(bin).compareTo(delay) < 0) {
      bin++;
    }
    return bin;
  }

  /** A restart loses a minute; what cannot be kept is kept with the next report. */
  private void save(Instant now) {
    saved = now;
    for (String name : unsaved) {
      LearnedTable table = Objects.requireNonNull(tables.get(name));
      writer.execute(() -> records.replace(name, table));
    }
    unsaved.clear();
  }

  private static Alarm alarm(LearnedTable table) {
    LearnedCell worst = worst(table);
    return Alarm.ofUtilityFunction(
        table.name(),
        String.format(
            Locale.ROOT,
            "The utility function (%s) promises %.2f for %s within %s, and %d reports say %.2f"
                + " (95 %% sure: %.2f to %.2f). Maybe look at paceline:learned %s.",
            table.name(),
            (double) table.promise(worst).billionths() / Utility.SCALE,
            table.promised().throughput(worst.throughputBin()),
            table.promised().delay(worst.delayBin()),
            worst.reports(),
            worst.mean(),
            worst.mean() - worst.halfWidth(),
            worst.mean() + worst.halfWidth(),
            table.name()),
        table.since());
  }

  private static LearnedCell worst(LearnedTable table) {
    LearnedCell worst = table.away().get(0);
    for (LearnedCell cell : table.away()) {
      worst = distance(table, cell) > distance(table, worst) ? cell : worst;
    }
    return worst;
  }

  private static double distance(LearnedTable table, LearnedCell cell) {
    return Math.abs(cell.mean() - (double) table.promise(cell).billionths() / Utility.SCALE);
  }
}
