package org.paceline.control.ingress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.control.settings.ElephantListSettings.COUNTERS;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.RememberedRecords;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.settings.ElephantListSettings;
import org.paceline.control.settings.SettingValues;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Lists that are made at 02:00 each day, on a clock that begins on 1970-01-01. */
final class IngressListsTest {
  private static final IpAddress ROUTER = IpAddress.parse("192.0.2.1");
  private static final IpAddress OTHER = IpAddress.parse("192.0.2.2");
  private static final IpAddress BACKUP = IpAddress.parse("10.0.0.1");
  private static final IpAddress STORE = IpAddress.parse("10.0.1.1");
  private static final IpAddress CAMERA = IpAddress.parse("10.0.2.1");
  private static final LocalDate FIRST = LocalDate.of(1970, 1, 1);
  private static final long GB = 1_000_000_000;
  private static final IntentTree TREE =
      IntentTree.withDefault(
          UtilityFunction.of(
              "any",
              List.of(DataRate.ofKilobitsPerSecond(100)),
              List.of(Latency.ofMillis(100)),
              List.of(List.of(Utility.of(3)))));

  private final ManualWorker clock = new ManualWorker();
  private final ManualExporters exporters = new ManualExporters();
  private final RememberedRecords<IngressList> stored = new RememberedRecords<>();
  private final Map<String, String> set =
      new HashMap<>(Map.of("flowExporters", ROUTER.toString(), "elephantListUse", "apply"));
  private IngressLists lists = started();
  private int changes;
  private List<Proof> proofs = List.of();

  private IngressLists started() {
    IngressLists made =
        new IngressLists(
            stored, exporters, Runnable::run, clock, new Nobody.NoJournal(), settings());
    made.goBy(settings());
    made.onChange(() -> changes++);
    return made;
  }

  private ElephantListSettings settings() {
    return ElephantListSettings.of(SettingValues.byDefault().with(set));
  }

  private void set(String setting, String value) {
    set.put(setting, value);
    lists.goBy(settings());
  }

  private List<Alarm> pass(Duration time) {
    clock.pass(time);
    return lists.look(proofs);
  }

  /** To 01:00 of the day with this number, from 0. */
  private void goToDay(int day) {
    Duration until = Duration.ofDays(day).plusHours(1);
    while (Duration.ofMillis(clock.instant().toEpochMilli()).compareTo(until) < 0) {
      pass(Duration.ofHours(1));
    }
  }

  private void tell(IpAddress exporter, IpAddress from, IpAddress to, long bytes) {
    // The clock begins with 1970, before which there is no record.
    long start = Math.max(0, clock.instant().toEpochMilli() - 30_000);
    exporters.tell(exporter, FlowRecord.of(from, to, start, start + 30_000, bytes));
  }

  private List<String> pairs(IpAddress exporter) {
    return lists.states().stream()
        .filter(state -> state.exporter().equals(exporter))
        .flatMap(state -> state.list().pairs().stream())
        .map(pair -> pair.source() + ">" + pair.destination() + " " + pair.bytes())
        .collect(Collectors.toList());
  }

  @Example
  void whatWasToldIsOnTheListFromTheNightOn() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    tell(ROUTER, CAMERA, STORE, GB / 2);
    pass(Duration.ofMinutes(59));
    assertThat(pairs(ROUTER)).isEmpty();
    assertThat(lists.inUse().matches(BACKUP, STORE)).isFalse();
    int before = changes;
    pass(Duration.ofMinutes(2));
    assertThat(changes).isEqualTo(before + 1);
    assertThat(pairs(ROUTER)).containsExactly("10.0.0.1/32>10.0.1.1/32 2000000000");
    assertThat(lists.inUse().matches(BACKUP, STORE)).isTrue();
    assertThat(lists.inUse().matches(STORE, BACKUP)).isFalse();
    assertThat(lists.inUse().matches(CAMERA, STORE)).isFalse();
    // At 02:01 the list is one of this day, and what was told is of the day before.
    IngressState state = lists.states().get(0);
    assertThat(state.list().day()).isEqualTo(FIRST.plusDays(1));
    assertThat(state.agesOutOn(state.list().pairs().get(0))).isEqualTo(FIRST.plusDays(31));
    assertThat(state.counts().map(ExporterCounts::records)).isEqualTo(Optional.of(2L));
  }

  @Example
  void aPairAgesOutThirtyDaysAfterItsLastAlphaFlow() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(30);
    assertThat(pairs(ROUTER)).as("it was seen on day 0").hasSize(1);
    goToDay(31);
    assertThat(pairs(ROUTER)).isEmpty();
    assertThat(lists.inUse().pairs()).isEmpty();
  }

  @Example
  void howMuchTheListOfTheDayBeforeHasCaught() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(2);
    tell(ROUTER, BACKUP, STORE, 3 * GB);
    tell(ROUTER, CAMERA, STORE, 2 * GB);
    goToDay(3);
    assertThat(lists.states().get(0).list().days())
        .containsExactly(
            IngressDay.of(FIRST, 0, 1, 2 * GB, 0),
            IngressDay.of(FIRST.plusDays(1), 1, 2, 5 * GB, 3 * GB));
    assertThat(pairs(ROUTER))
        .as("largest first")
        .containsExactly(
            "10.0.0.1/32>10.0.1.1/32 5000000000", "10.0.2.1/32>10.0.1.1/32 2000000000");
  }

  @Example
  void aRestartKeepsTheLists() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(2);
    lists = started();
    assertThat(pairs(ROUTER)).hasSize(1);
    assertThat(lists.inUse().matches(BACKUP, STORE)).isTrue();
    // It was down for a month: what has aged meanwhile is in force at no moment.
    clock.pass(Duration.ofDays(31));
    lists = started();
    assertThat(pairs(ROUTER)).isEmpty();
    assertThat(lists.inUse().pairs()).isEmpty();
  }

  @Example
  void theLargestAreInForceAndTheOperatorsCountFirst() {
    set("elephantListPairs", "2");
    set("flowExporters", ROUTER + "," + OTHER);
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    tell(ROUTER, CAMERA, STORE, 3 * GB);
    tell(ROUTER, STORE, CAMERA, 4 * GB);
    tell(OTHER, STORE, BACKUP, 5 * GB);
    goToDay(2);
    assertThat(lists.states().get(0).inForce()).isEqualTo(2);
    assertThat(pairs(ROUTER)).hasSize(3);
    assertThat(lists.inUse().pairs()).hasSize(2);
    assertThat(lists.inUse().matches(STORE, BACKUP)).isTrue();
    assertThat(lists.inUse().matches(STORE, CAMERA)).isTrue();
    set("elephantPairs", "10.9.0.0/16>10.8.0.0/16");
    assertThat(lists.inUse().pairs()).hasSize(1);
    assertThat(lists.inUse().matches(STORE, BACKUP)).isTrue();
  }

  @Example
  void noMoreAreInForceThanTheLeastTableOfAnySwitchTakes() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    tell(ROUTER, CAMERA, STORE, 3 * GB);
    tell(ROUTER, STORE, CAMERA, 4 * GB);
    goToDay(2);
    assertThat(lists.inUse().pairs()).hasSize(3);
    int before = changes;
    AtomicReference<OptionalLong> least = new AtomicReference<>(OptionalLong.of(2));
    lists.boundBy(least::get);
    pass(Duration.ofSeconds(5));
    assertThat(lists.inUse().pairs()).hasSize(2);
    assertThat(lists.inUse().matches(BACKUP, STORE)).as("the smallest").isFalse();
    assertThat(lists.states().get(0).inForce()).isEqualTo(2);
    assertThat(pairs(ROUTER)).as("all are shown").hasSize(3);
    assertThat(changes).isEqualTo(before + 1);
    set("elephantPairs", "10.9.0.0/16>10.8.0.0/16");
    assertThat(lists.inUse().pairs()).as("the operator's count first").hasSize(1);
    set("elephantPairs", "");
    least.set(OptionalLong.of(3));
    pass(Duration.ofSeconds(5));
    assertThat(lists.inUse().pairs()).hasSize(3);
    least.set(OptionalLong.empty());
    pass(Duration.ofSeconds(5));
    assertThat(lists.inUse().pairs()).hasSize(3);
    assertThat(changes)
        .as("with a smaller table gone nothing is in force beside")
        .isEqualTo(before + 2);
  }

  @Example
  void onlyWhoseRecordsAreTakenIsInUseAndAnEmptyListIsForgotten() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(2);
    set("flowExporters", OTHER.toString());
    assertThat(lists.inUse().pairs()).isEmpty();
    assertThat(pairs(ROUTER)).as("it is shown until it has aged").hasSize(1);
    goToDay(33);
    assertThat(stored.keys()).containsExactly(OTHER.toString());
  }

  @Example
  void listsAreOnlyShownUntilTheOperatorHasThemApplied() {
    set.remove("elephantListUse");
    lists.goBy(settings());
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(2);
    assertThat(pairs(ROUTER)).hasSize(1);
    assertThat(lists.inUse().pairs()).isEmpty();
    set("elephantListUse", "apply");
    assertThat(lists.inUse().pairs()).hasSize(1);
  }

  @Example
  void subnetsMatchTheirNeighboursFromTheNextListOn() {
    goToDay(1);
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(2);
    set("elephantListPrefixes", "subnets");
    assertThat(lists.inUse().pairs()).as("these were hosts").isEmpty();
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    goToDay(3);
    assertThat(lists.inUse().matches(IpAddress.parse("10.0.0.77"), STORE)).isTrue();
  }

  @Example
  void anotherTimeOfDayHoldsAtOnce() {
    clock.pass(Duration.ofHours(12));
    tell(ROUTER, BACKUP, STORE, 2 * GB);
    set("elephantListAt", "12:00:05");
    pass(Duration.ofSeconds(4));
    assertThat(pairs(ROUTER)).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(pairs(ROUTER)).hasSize(1);
    // Twice a day: what was found adds up.
    tell(ROUTER, BACKUP, STORE, GB * 3 / 2);
    set("elephantListAt", "12:00:09");
    pass(Duration.ofSeconds(4));
    assertThat(pairs(ROUTER)).containsExactly("10.0.0.1/32>10.0.1.1/32 3500000000");
    assertThat(lists.states().get(0).list().days())
        .containsExactly(IngressDay.of(FIRST.minusDays(1), 0, 2, GB * 7 / 2, GB * 3 / 2));
    assertThat(lists.due().atOffset(java.time.ZoneOffset.UTC).toLocalTime())
        .isEqualTo(LocalTime.of(12, 0, 9));
    assertThat(lists.due()).isAfter(clock.instant());
  }

  @Example
  void recordsOfAnotherTimeAreCountedAndLetGo() {
    goToDay(5);
    long now = clock.instant().toEpochMilli();
    exporters.tell(ROUTER, FlowRecord.of(BACKUP, STORE, 0, 30_000, 2 * GB));
    exporters.tell(ROUTER, FlowRecord.of(BACKUP, STORE, now + 3_600_000, now + 3_630_000, 2 * GB));
    assertThat(lists.states().get(0).untimely()).isEqualTo(2);
    goToDay(6);
    assertThat(pairs(ROUTER)).isEmpty();
  }

  @Example
  void anExporterThatFallsSilentIsAnAlarmUntilItSpeaks() {
    tell(ROUTER, BACKUP, STORE, 1);
    assertThat(pass(Duration.ofMinutes(1))).isEmpty();
    assertThat(pass(Duration.ofMinutes(14))).isEmpty();
    List<Alarm> alarms = pass(Duration.ofMinutes(1));
    assertThat(alarms).extracting(Alarm::kind).containsExactly(Alarm.Kind.EXPORTER);
    assertThat(alarms.get(0).about()).isEqualTo("exporter 192.0.2.1");
    assertThat(alarms.get(0).sentence()).contains("has sent no flow record since 1970-01-01T00:01");
    assertThat(pass(Duration.ofMinutes(1)).get(0).since()).isEqualTo(alarms.get(0).since());
    tell(ROUTER, BACKUP, STORE, 1);
    assertThat(pass(Duration.ofSeconds(1))).isEmpty();
  }

  @Example
  void anExporterThatWasNeverHeardIsOneToo() {
    assertThat(pass(Duration.ofMinutes(15)).get(0).sentence()).contains("was never heard, since");
    set("flowExporters", "");
    assertThat(pass(Duration.ofMinutes(15))).isEmpty();
  }

  @Example
  void manyMalformedDatagramsAreAnAlarmWhileTheyCome() {
    exporters.tellNonsense(ROUTER, 9);
    assertThat(pass(Duration.ofSeconds(1))).isEmpty();
    exporters.tellNonsense(ROUTER, 1);
    assertThat(pass(Duration.ofSeconds(1)).get(0).sentence()).contains("10 datagrams within 5");
    tell(ROUTER, BACKUP, STORE, 1);
    assertThat(pass(Duration.ofMinutes(5))).hasSize(1);
    tell(ROUTER, BACKUP, STORE, 1);
    assertThat(pass(Duration.ofMinutes(5))).isEmpty();
  }

  @Example
  void aPortThatCannotBeHadIsAnAlarm() {
    exporters.trouble("The UDP port cannot be had.");
    Alarm alarm = pass(Duration.ofSeconds(1)).get(0);
    assertThat(alarm.setting()).isEqualTo(Optional.of("flowPort"));
    assertThat(pass(Duration.ofSeconds(1))).containsExactly(alarm);
  }

  private static Conversation conversation(String host, IpAddress local, IpAddress remote) {
    return Conversation.builder()
        .id(ConversationId.of(host, "copy"))
        .intent("files/copy")
        .localAddress(local.toString())
        .remoteAddress(remote.toString())
        .build();
  }

  /** So many bytes until now. */
  private Proof counted(Conversation of, long bytes) {
    return Proof.of(of, TREE.resolve(of.intent()), clock.instant()).toBuilder()
        .sentBytes(bytes)
        .countedAt(clock.instant())
        .build();
  }

  /** Once a second for half a minute; what was counted before is no part of it. */
  private void count(long before, long bytes, Conversation... conversations) {
    for (int second = 0; second <= 30; second++) {
      long so = before + bytes * second / 30;
      proofs = Stream.of(conversations).map(one -> counted(one, so)).collect(Collectors.toList());
      pass(Duration.ofSeconds(1));
    }
    proofs = List.of();
  }

  /** The second source: nobody exports flow records. */
  @Example
  void whatIsCountedOfConversationsMakesAListToo() {
    set("flowExporters", COUNTERS.toString());
    goToDay(1);
    count(40 * GB, 2 * GB, conversation("backup", BACKUP, STORE));
    count(40 * GB, GB / 2, conversation("camera", CAMERA, STORE));
    IngressState state = lists.states().get(0);
    assertThat(state.exporter()).isEqualTo(COUNTERS);
    assertThat(state.counts().map(ExporterCounts::records)).isEqualTo(Optional.of(60L));
    assertThat(state.heardAt()).isPresent();
    goToDay(2);
    assertThat(pairs(COUNTERS)).containsExactly("10.0.0.1/32>10.0.1.1/32 2000000000");
    assertThat(lists.inUse().matches(BACKUP, STORE)).isTrue();
    assertThat(lists.inUse().matches(CAMERA, STORE)).isFalse();
    assertThat(lists.look(proofs)).as("that nobody talks is no fault").isEmpty();
  }

  /** By the host that sends them, and by the one that holds what comes in. */
  @Example
  void packetsThatTwoHostsCountCountOnce() {
    set("flowExporters", COUNTERS.toString());
    goToDay(1);
    Conversation arriving = conversation("store", STORE, BACKUP).toBuilder().incoming(true).build();
    count(0, GB * 3 / 2, conversation("backup", BACKUP, STORE), arriving);
    count(0, GB * 5 / 2, conversation("store", STORE, CAMERA).toBuilder().incoming(true).build());
    goToDay(2);
    assertThat(pairs(COUNTERS))
        .containsExactly(
            "10.0.2.1/32>10.0.1.1/32 2500000000", "10.0.0.1/32>10.0.1.1/32 1500000000");
  }

  /** An agent that began anew; and hosts whose counters nobody asked for. */
  @Example
  void aCounterThatBeginsAnewIsNoElephant() {
    set("flowExporters", COUNTERS.toString());
    goToDay(1);
    Conversation copy = conversation("backup", BACKUP, STORE);
    proofs = List.of(counted(copy, 9 * GB));
    pass(Duration.ofSeconds(1));
    proofs = List.of(counted(copy, 0));
    pass(Duration.ofSeconds(1));
    set("flowExporters", ROUTER.toString());
    pass(Duration.ofSeconds(1));
    set("flowExporters", COUNTERS.toString());
    proofs = List.of(counted(copy, 5 * GB));
    pass(Duration.ofSeconds(1));
    proofs = List.of();
    goToDay(2);
    assertThat(pairs(COUNTERS)).isEmpty();
  }
}
