package org.paceline.control.ingress;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.AlphaFlow;
import org.paceline.allocator.elephant.PrefixPair;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Proof;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Records;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.control.settings.FoundPairs;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.work.Each;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/**
 * The lists of elephants, one for each ingress, made anew once a day of what its exporter has told
 * since the day before. What is counted of conversations is one ingress more. Flow records are
 * summed up as they come ({@link org.paceline.allocator.elephant.AlphaSums}), and what was summed
 * up since the last list is lost when the controller ends; the lists are stored. Yan et al. 2013,
 * section II.
 *
 * <p>A day goes from one list to the next: a record counts on the day on which it comes. Records
 * come in the collector's thread, questions in any.
 */
public final class IngressLists {
  /** 60 MB at most, which the exporters share. */
  private static final int MOST_SUMS = 200_000;

  private final Records<IngressList> records;
  private final FlowRecordSource source;
  private final Executor work;
  private final Clock clock;
  private final Journal journal;
  private final CountedFlows flows = new CountedFlows();
  private final Map<IpAddress, IngressList> lists = new ConcurrentSkipListMap<>();
  private volatile Map<IpAddress, Ingress> ingresses = Map.of();
  private volatile ElephantListSettings settings;
  private volatile Instant due;
  private long counted;
  private Optional<Instant> troubledSince = Optional.empty();
  private volatile Runnable listener = () -> {};
  private volatile Supplier<OptionalLong> leastTable = OptionalLong::empty;
  private volatile OptionalLong tableBound = OptionalLong.empty();

  /**
   * Finds the lists that were stored; nothing is received yet.
   *
   * @param work does what takes long
   */
  public IngressLists(
      Records<IngressList> records,
      FlowRecordSource source,
      Executor work,
      Clock clock,
      Journal journal,
      ElephantListSettings settings) {
    this.records = records;
    this.source = source;
    this.work = work;
    this.clock = clock;
    this.journal = journal;
    this.settings = settings;
    this.due = next(clock.instant(), settings.at());
    records
        .keys()
        .forEach(key -> records.find(key).ifPresent(list -> lists.put(list.exporter(), list)));
  }

  /** Is told when other pairs are in force, for any reason but new settings. */
  public void onChange(Runnable changed) {
    listener = changed;
  }

  /**
   * No more pairs are in force than this, either.
   *
   * @param leastTable how many rules conversations may have on the switch that takes the fewest;
   *     empty while no switch has said it
   */
  public void boundBy(Supplier<OptionalLong> leastTable) {
    this.leastTable = leastTable;
  }

  /** By these settings from now on; receives from now on if they name an exporter. */
  public synchronized void goBy(ElephantListSettings changed) {
    Instant now = clock.instant();
    if (!changed.at().equals(settings.at())) {
      due = next(now, changed.at());
    }
    settings = changed;
    Map<IpAddress, Ingress> before = ingresses;
    Map<IpAddress, Ingress> after = new TreeMap<>();
    int room = MOST_SUMS / Math.max(1, changed.exporters().size());
    for (IpAddress exporter : changed.exporters()) {
      Ingress known = before.get(exporter);
      after.put(
          exporter,
          known != null && known.goesBy(changed.alpha(), room)
              ? known
              : new Ingress(exporter, changed.alpha(), room, now));
    }
    ingresses = after;
    source.receive(changed, this::add);
  }

  private void add(IpAddress exporter, FlowRecord record) {
    Ingress ingress = ingresses.get(exporter);
    if (ingress != null) {
      ingress.add(record, clock.instant());
    }
  }

  /** The next moment after now at which it is that time of day. */
  private static Instant next(Instant now, LocalTime at) {
    OffsetDateTime today = now.atOffset(ZoneOffset.UTC).with(at);
    return (today.toInstant().isAfter(now) ? today : today.plusDays(1)).toInstant();
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  /**
   * To be called once a second, by one thread: takes in what was counted, and has the lists made
   * when it is time to.
   *
   * @param proofs with what was counted of each conversation
   * @return what is wrong with what is received
   */
  public List<Alarm> look(Collection<Proof> proofs) {
    Instant now = clock.instant();
    if (ingresses.containsKey(ElephantListSettings.COUNTERS)) {
      flows.look(proofs, this::addCounted);
    } else {
      flows.forget();
      counted = 0;
    }
    if (!now.isBefore(due)) {
      due = next(now, settings.at());
      work.execute(this::makeLists);
    }
    lookAtTables();
    List<Alarm> alarms = new ArrayList<>();
    Optional<String> trouble = source.trouble();
    troubledSince = trouble.map(any -> troubledSince.orElse(now));
    trouble.ifPresent(
        why ->
            alarms.add(
                Alarm.ofSetting(SettingTable.FLOW_PORT.name(), why, troubledSince.orElse(now))));
    Map<IpAddress, ExporterCounts> counts = source.counts();
    ingresses.forEach(
        (exporter, ingress) -> {
          if (exporter.equals(ElephantListSettings.COUNTERS)) {
            // Without conversations nothing is counted, and nothing is wrong.
            ingress.counted(ExporterCounts.builder().records(counted).build(), now);
          } else {
            ingress.counted(counts.getOrDefault(exporter, ExporterCounts.NONE), now);
            ingress.alarm(now).ifPresent(alarms::add);
          }
        });
    return alarms;
  }

  private void addCounted(FlowRecord record) {
    counted++;
    add(ElephantListSettings.COUNTERS, record);
  }

  /**
   * A switch that comes or goes is told of only where other pairs are in force for it. Switches are
   * asked only while pairs are in force.
   */
  private void lookAtTables() {
    if (!settings.isApplied() || lists.isEmpty()) {
      return;
    }
    OptionalLong bound = leastTable.get();
    if (!bound.equals(tableBound)) {
      FoundPairs before = inUse();
      tableBound = bound;
      if (!inUse().equals(before)) {
        work.execute(() -> listener.run());
      }
    }
  }

  /** How many of what may be in force have no room in the least table. */
  private int beyondTables(ElephantListSettings by) {
    long most = by.rule().most();
    return (int) Math.max(0, most - tableBound.orElse(most));
  }

  /** On the one thread that does what takes long; holds no lock, for it waits for a store. */
  private void makeLists() {
    LocalDate today = today();
    Set<IpAddress> exporters = new TreeSet<>(lists.keySet());
    exporters.addAll(ingresses.keySet());
    try {
      Each.of(exporters, exporter -> makeList(exporter, today));
    } finally {
      listener.run();
    }
  }

  private void makeList(IpAddress exporter, LocalDate today) {
    Optional<Ingress> ingress = Optional.ofNullable(ingresses.get(exporter));
    List<AlphaFlow> found = ingress.map(one -> one.take().found()).orElse(List.of());
    IngressList list =
        lists
            .getOrDefault(exporter, IngressList.empty(exporter, today.minusDays(1)))
            .next(today, found, settings.rule());
    if (ingress.isEmpty() && list.pairs().isEmpty()) {
      lists.remove(exporter);
      records.remove(exporter.toString());
    } else {
      lists.put(exporter, list);
      records.replace(exporter.toString(), list);
      journal.note(
          "The exporter "
              + exporter
              + " told of "
              + found.size()
              + " alpha flows; its list of elephants has "
              + list.pairs().size()
              + " pairs.");
    }
  }

  /** The pairs that make elephants: those of all exporters, largest first as there is room. */
  public FoundPairs inUse() {
    ElephantListSettings by = settings;
    if (!by.isApplied()) {
      return FoundPairs.NONE;
    }
    LocalDate today = today();
    Map<PrefixPair, Long> bytes = new HashMap<>();
    for (IpAddress exporter : by.exporters()) {
      IngressList list = lists.get(exporter);
      if (list != null) {
        list.at(today, by.rule()).pairs().stream()
            .limit(by.rule().most())
            .forEach(
                one ->
                    bytes.merge(
                        PrefixPair.of(one.source(), one.destination()), one.bytes(), Math::max));
      }
    }
    return FoundPairs.of(
        by.rule().lengths(),
        bytes.entrySet().stream()
            .sorted(
                Map.Entry.<PrefixPair, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(Math.max(0, by.room() - beyondTables(by)))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(HashSet::new)));
  }

  /** How it stands with each ingress, by its exporter's address. */
  public List<IngressState> states() {
    ElephantListSettings by = settings;
    Map<IpAddress, Ingress> received = ingresses;
    LocalDate today = today();
    Set<IpAddress> exporters = new TreeSet<>(lists.keySet());
    exporters.addAll(received.keySet());
    List<IngressState> states = new ArrayList<>();
    for (IpAddress exporter : exporters) {
      IngressList list =
          lists.getOrDefault(exporter, IngressList.empty(exporter, today)).at(today, by.rule());
      states.add(
          Optional.ofNullable(received.get(exporter))
              .map(Ingress::state)
              .orElseGet(IngressState::builder)
              .list(list)
              .inForce(Math.min(by.rule().most() - beyondTables(by), list.pairs().size()))
              .ageingDays(by.rule().ageingDays())
              .build());
    }
    return states;
  }

  /** Whether conversations between the pairs are elephants; else they are only shown. */
  public boolean isApplied() {
    return settings.isApplied();
  }

  /** When the lists are made next. */
  public Instant due() {
    return due;
  }

  /** How many datagrams came from others than the exporters, and were dropped. */
  public long refused() {
    return source.refused();
  }
}
