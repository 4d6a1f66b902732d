package org.paceline.allocator.elephant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.address.IpAddress;

class ElephantListTest {
  private static final LocalDate MONDAY = LocalDate.of(2026, 3, 2);
  private static final IpAddress HERE = IpAddress.parse("10.0.0.1");
  private static final IpAddress THERE = IpAddress.parse("10.0.1.1");
  private static final ListRule RULE = ListRule.of(PrefixLengths.SUBNETS, 30, 100);

  @Example
  void whatIsFoundOnADayIsInForceFromTheNext() {
    ElephantList list = ElephantList.empty(RULE, MONDAY).next(List.of(flow(HERE, THERE, 0, 5)));
    assertThat(list.day()).isEqualTo(MONDAY.plusDays(1));
    assertThat(list.matches(HERE, THERE)).isTrue();
    assertThat(list.inForce())
        .containsExactly(
            ListedPair.of(PrefixPair.of(prefix("10.0.0.0/24"), prefix("10.0.1.0/24")), 5, MONDAY));
  }

  @Example
  void subnetsMatchTheirNeighboursAndHostsDoNot() {
    IpAddress neighbour = IpAddress.parse("10.0.0.9");
    ElephantList subnets = ElephantList.empty(RULE, MONDAY).next(List.of(flow(HERE, THERE, 0, 5)));
    ElephantList hosts =
        ElephantList.empty(ListRule.of(PrefixLengths.HOSTS, 30, 100), MONDAY)
            .next(List.of(flow(HERE, THERE, 0, 5)));
    assertThat(subnets.matches(neighbour, THERE)).isTrue();
    assertThat(hosts.matches(neighbour, THERE)).isFalse();
    assertThat(hosts.matches(HERE, THERE)).isTrue();
    assertThat(subnets.matches(THERE, HERE)).isFalse();
  }

  @Example
  void ipv6IsMatchedBySites() {
    IpAddress source = IpAddress.parse("2001:db8:1:2::3");
    IpAddress destination = IpAddress.parse("2001:db8:9::1");
    ElephantList list =
        ElephantList.empty(RULE, MONDAY).next(List.of(flow(source, destination, 0, 5)));
    assertThat(list.matches(IpAddress.parse("2001:db8:1:ffff::1"), destination)).isTrue();
    assertThat(list.matches(IpAddress.parse("2001:db8:2::1"), destination)).isFalse();
    assertThat(list.matches(HERE, THERE)).isFalse();
  }

  @Example
  void aPairAgesOutAfterThirtyDaysWithoutAnAlphaFlow() {
    ElephantList list = ElephantList.empty(RULE, MONDAY).next(List.of(flow(HERE, THERE, 0, 5)));
    assertThat(list.at(MONDAY.plusDays(30)).matches(HERE, THERE)).isTrue();
    assertThat(list.at(MONDAY.plusDays(31)).matches(HERE, THERE)).isFalse();
    ElephantList renewed = list.at(MONDAY.plusDays(30)).next(List.of(flow(HERE, THERE, 30, 5)));
    assertThat(renewed.at(MONDAY.plusDays(60)).matches(HERE, THERE)).isTrue();
    assertThat(renewed.at(MONDAY.plusDays(61)).known()).isEmpty();
  }

  @Example
  void theLargestAreInForceAndTheOthersFollowWhenTheyAge() {
    ListRule one = ListRule.of(PrefixLengths.HOSTS, 2, 1);
    ElephantList list =
        ElephantList.empty(one, MONDAY)
            .next(List.of(flow(HERE, THERE, 0, 50)))
            .next(List.of(flow(THERE, HERE, 1, 5)));
    assertThat(list.matches(HERE, THERE)).isTrue();
    assertThat(list.matches(THERE, HERE)).isFalse();
    assertThat(list.known()).hasSize(2);
    ElephantList later = list.at(MONDAY.plusDays(3));
    assertThat(later.matches(HERE, THERE)).isFalse();
    assertThat(later.matches(THERE, HERE)).isTrue();
  }

  @Example
  void whatIsFoundTwiceOnOneDayAddsUp() {
    ElephantList list =
        ElephantList.empty(RULE, MONDAY)
            .on(MONDAY, List.of(flow(HERE, THERE, 0, 5)))
            .on(MONDAY, List.of(flow(HERE, THERE, 0, 7)));
    assertThat(list.known()).hasSize(1);
    assertThat(list.known().get(0).bytes()).isEqualTo(12);
    assertThat(list.known().get(0).lastSeen()).isEqualTo(MONDAY.minusDays(1));
  }

  @Example
  void anotherRuleKeepsThePairsThatAreSoByItToo() {
    ElephantList list =
        ElephantList.empty(RULE, MONDAY)
            .next(List.of(flow(HERE, THERE, 0, 5)))
            .at(MONDAY.plusDays(5));
    assertThat(list.by(ListRule.of(PrefixLengths.SUBNETS, 10, 1)).inForce()).hasSize(1);
    assertThat(list.by(ListRule.of(PrefixLengths.SUBNETS, 4, 1)).known()).isEmpty();
    assertThat(list.by(ListRule.of(PrefixLengths.HOSTS, 30, 1)).known()).isEmpty();
  }

  @Example
  void refusesWhatIsNoListOfThatDay() {
    PrefixPair pair = PrefixPair.of(HERE, THERE, PrefixLengths.SUBNETS);
    ListedPair listed = ListedPair.of(pair, 5, MONDAY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ElephantList.of(RULE, MONDAY, List.of(listed)))
        .withMessageContaining("which puts it on no list of 2026-03-02");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ElephantList.of(RULE, MONDAY.plusDays(31), List.of(listed)))
        .withMessageContaining("another day");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ElephantList.of(RULE, MONDAY.plusDays(1), List.of(listed, listed)))
        .withMessageContaining("twice");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ElephantList.of(
                    ListRule.of(PrefixLengths.HOSTS, 30, 100), MONDAY.plusDays(1), List.of(listed)))
        .withMessageContaining("other prefixes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ElephantList.empty(RULE, MONDAY).at(MONDAY.minusDays(1)))
        .withMessageContaining("before");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrefixPair.of(prefix("10.0.0.0/24"), prefix("fd00::/48")))
        .withMessageContaining("one is IPv4, one is IPv6");
    assertThatIllegalArgumentException().isThrownBy(() -> ListRule.of(PrefixLengths.HOSTS, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> ListRule.of(PrefixLengths.HOSTS, 1, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrefixLengths.of(33, 48))
        .withMessageContaining("IPv4 (33)");
  }

  /** Each flow's fate from all flows before it, without any list. */
  @Property(tries = 300, seed = "20")
  void effectivenessIsWhatAskingForEachFlowGives(@ForAll long seed) {
    Random random = new Random(seed);
    ZoneId zone = random.nextBoolean() ? ZoneOffset.UTC : ZoneId.of("Europe/Berlin");
    ListRule rule =
        ListRule.of(
            random.nextBoolean() ? PrefixLengths.SUBNETS : PrefixLengths.HOSTS,
            1 + random.nextInt(6),
            random.nextBoolean() ? 1 + random.nextInt(4) : 1_000);
    List<AlphaFlow> flows = new ArrayList<>();
    for (int f = random.nextInt(40); f > 0; f--) {
      Instant start = at(0).plusSeconds(random.nextInt(30 * 24 * 3_600));
      flows.add(
          AlphaFlow.of(
              host(random),
              host(random),
              start,
              start.plusSeconds(1 + random.nextInt(40 * 3_600)),
              1 + random.nextInt(9)));
    }
    Map<LocalDate, Long> alpha = new TreeMap<>();
    Map<LocalDate, Long> matched = new TreeMap<>();
    for (AlphaFlow flow : flows) {
      LocalDate day = day(flow.start(), zone);
      boolean caught = largest(flows, rule, zone, day).contains(pair(flow, rule));
      alpha.merge(day, flow.bytes(), Long::sum);
      matched.merge(day, caught ? flow.bytes() : 0, Long::sum);
    }
    Effectiveness report = Effectiveness.of(flows, rule, zone);
    assertThat(report.days())
        .extracting(DayEffectiveness::day)
        .containsExactlyElementsOf(alpha.keySet());
    for (DayEffectiveness day : report.days()) {
      assertThat(day.alphaBytes()).isEqualTo(alpha.get(day.day()));
      assertThat(day.matchedBytes()).as("%s", day.day()).isEqualTo(matched.get(day.day()));
    }
    if (!flows.isEmpty()) {
      assertThat(report.share().orElseThrow())
          .isEqualTo(
              (double) matched.values().stream().mapToLong(b -> b).sum()
                  / alpha.values().stream().mapToLong(b -> b).sum());
    }
  }

  /** The pairs in force on a day: by all that they sent since their last break. */
  private static List<PrefixPair> largest(
      List<AlphaFlow> flows, ListRule rule, ZoneId zone, LocalDate day) {
    Map<PrefixPair, TreeMap<LocalDate, Long>> sent = new HashMap<>();
    for (AlphaFlow flow : flows) {
      LocalDate end = day(flow.end().minusMillis(1), zone);
      if (end.isBefore(day)) {
        sent.computeIfAbsent(pair(flow, rule), any -> new TreeMap<>())
            .merge(end, flow.bytes(), Long::sum);
      }
    }
    Map<PrefixPair, Long> bytes = new TreeMap<>();
    sent.forEach(
        (pair, days) -> {
          LocalDate later = day;
          long sum = 0;
          for (Map.Entry<LocalDate, Long> one : days.descendingMap().entrySet()) {
            if (one.getKey().plusDays(rule.ageingDays()).isBefore(later)) {
              break;
            }
            sum += one.getValue();
            later = one.getKey();
          }
          if (sum > 0) {
            bytes.put(pair, sum);
          }
        });
    return bytes.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(rule.most())
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  private static PrefixPair pair(AlphaFlow flow, ListRule rule) {
    return PrefixPair.of(flow.source(), flow.destination(), rule.lengths());
  }

  private static IpAddress host(Random random) {
    return IpAddress.parse("10.0." + random.nextInt(2) + "." + random.nextInt(2));
  }

  private static AlphaFlow flow(IpAddress source, IpAddress destination, int day, long bytes) {
    return AlphaFlow.of(source, destination, at(day), at(day).plus(Duration.ofMinutes(1)), bytes);
  }

  private static Instant at(int day) {
    return MONDAY.plusDays(day).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private static LocalDate day(Instant moment, ZoneId zone) {
    return moment.atZone(zone).toLocalDate();
  }

  private static AddressPrefix prefix(String text) {
    return AddressPrefix.parse(text);
  }
}
