package org.paceline.control.scheme.elephant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.allocator.reservation.Observation;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.Route;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.scheme.Arbiter;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.PortState;
import org.paceline.control.scheme.ReservedRate;
import org.paceline.control.scheme.Share;
import org.paceline.control.scheme.Snapshot;
import org.paceline.control.scheme.utility.Ring;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/** Two hosts, and two ways between their switches: by s3, or straight. */
final class ElephantIsolationSchemeTest {
  private static final LinkId STRAIGHT = LinkId.of("s1", "s2");
  private static final Path SHORT = Path.of(List.of("a", "s1", "s2", "b"));
  private static final Path ROUND = Path.of(List.of("a", "s1", "s3", "s2", "b"));

  private final ElephantIsolationScheme scheme =
      new ElephantIsolationScheme(PlannerSettings.DEFAULT.elephants());
  private final Network network = network(10_000);
  private final Map<LinkId, PortState> ports = new HashMap<>();

  ElephantIsolationSchemeTest() {
    for (Link link : network.links()) {
      ports.put(
          link.id(),
          link.from().startsWith("s")
              ? PortState.ofSwitch(link.capacity(), true)
              : PortState.ofHost(link.capacity()));
    }
  }

  private static Network network(long kbps) {
    return Network.of(
        List.of("a", "b", "s1", "s2", "s3"),
        List.of(
            link("a", "s1", 10 * kbps),
            link("s2", "b", 10 * kbps),
            link("s1", "s2", kbps),
            link("s1", "s3", kbps),
            link("s3", "s2", kbps)));
  }

  private static Link link(String from, String to, long kbps) {
    return Link.of(from, to, kbps(kbps), LinkDelay.constant(Latency.ofMillis(1)));
  }

  private static DataRate kbps(long kbps) {
    return DataRate.ofKilobitsPerSecond(kbps);
  }

  private void carry(LinkId link, long granted, long beside) {
    ports.computeIfPresent(
        link, (l, port) -> port.carrying(kbps(granted), kbps(beside), kbps(granted + beside)));
  }

  private Decision decide(int elephants, Optional<Decision> before) {
    return scheme
        .decide(
            Snapshot.builder(applications(elephants), Set.of(), new Routes(network))
                .before(before)
                .paths(before.map(ElephantIsolationSchemeTest::paths).orElse(Map.of()))
                .ports(ports)
                .build())
        .orElseThrow();
  }

  private static Map<String, Path> paths(Decision decision) {
    Map<String, Path> paths = new HashMap<>();
    decision.grants().forEach((id, grant) -> paths.put(id, grant.path()));
    return paths;
  }

  private static List<Application> applications(int elephants) {
    List<Application> applications = new ArrayList<>();
    for (int i = 0; i < elephants; i++) {
      applications.add(Application.of("h/" + i, "a", "b", Ring.application(0).utilityFunction()));
    }
    return applications;
  }

  private static Route route(Decision decision, int elephant) {
    return Objects.requireNonNull(
        decision.directives().routes().get(ConversationId.parse("h/" + elephant)));
  }

  @Example
  void elephantsGoWhereOthersAreNotAndNobodyHoldsThem() {
    carry(STRAIGHT, 4_000, 0);
    Decision made = decide(2, Optional.empty());
    assertThat(made.unserved()).isEmpty();
    assertThat(made.grants().values()).allMatch(grant -> grant.path().equals(ROUND));
    assertThat(made.directives().paces().values()).noneMatch(pace -> pace.isHeld());
    assertThat(route(made, 0).isApart()).isTrue();
    assertThat(made.directives().queues())
        .containsOnlyKeys(LinkId.of("s1", "s3"), LinkId.of("s3", "s2"), LinkId.of("s2", "b"));
    // Equal shares of what there is.
    assertThat(Objects.requireNonNull(made.grants().get("h/0")).rate().toKbpsFloor())
        .isEqualTo(5_000);
  }

  @Example
  void twoElephantsTakeTwoWays() {
    Decision made = decide(2, Optional.empty());
    assertThat(Set.of(route(made, 0).path(), route(made, 1).path()))
        .isEqualTo(Set.of(SHORT, ROUND));
  }

  @Example
  void aPathIsKeptWhileItIsAsGood() {
    carry(STRAIGHT, 4_000, 0);
    Decision first = decide(1, Optional.empty());
    carry(STRAIGHT, 0, 0);
    assertThat(route(decide(1, Optional.of(first)), 0).path()).isEqualTo(ROUND);
    carry(LinkId.of("s1", "s3"), 5_000, 0);
    assertThat(route(decide(1, Optional.of(first)), 0).path()).isEqualTo(SHORT);
  }

  /** What they sent before they were known counted as others', and is gone from there now. */
  @Example
  void aWayThatWasFullIsLookedAtAgainOnceItIsFree() {
    carry(STRAIGHT, 9_000, 0);
    Decision first = decide(2, Optional.empty());
    assertThat(List.of(route(first, 0).path(), route(first, 1).path()))
        .isEqualTo(List.of(ROUND, ROUND));
    // Still as many twentieths, and then more.
    carry(STRAIGHT, 9_400, 0);
    assertThat(scheme.isMovedBy(ports, first)).isFalse();
    carry(STRAIGHT, 9_900, 0);
    assertThat(scheme.isMovedBy(ports, first)).isFalse();
    carry(STRAIGHT, 0, 0);
    assertThat(scheme.isMovedBy(ports, first)).isTrue();
    Decision then = decide(2, Optional.of(first));
    assertThat(Set.of(route(then, 0).path(), route(then, 1).path()))
        .isEqualTo(Set.of(SHORT, ROUND));
    assertThat(scheme.isMovedBy(ports, then)).isFalse();
  }

  @Example
  void whomNoPathKeepsApartIsHeldToARateAndToldWhy() {
    ports.put(LinkId.of("s2", "b"), PortState.ofSwitch(kbps(100_000), false));
    Decision made = decide(1, Optional.empty());
    assertThat(made.grants()).isEmpty();
    assertThat(Objects.requireNonNull(made.unserved().get("h/0")).code())
        .isEqualTo(Unserved.Code.NOT_KEPT_APART);
    assertThat(Objects.requireNonNull(made.restrained().get("h/0")).rate().toKbpsFloor())
        .isEqualTo(10_000);
    assertThat(route(made, 0).isApart()).isFalse();
    assertThat(made.directives().paces().firstEntry().getValue().isHeld()).isTrue();
    assertThat(made.directives().queues()).isEmpty();
  }

  @Example
  void aPortWithoutQueuesIsGoneRound() {
    ports.put(STRAIGHT, PortState.ofSwitch(kbps(10_000), false));
    assertThat(route(decide(1, Optional.empty()), 0).path()).isEqualTo(ROUND);
  }

  @Example
  void theSplitFollowsWhatIsSentBesideThePlan() {
    ports.put(STRAIGHT, PortState.ofSwitch(kbps(10_000), false));
    LinkId port = LinkId.of("s1", "s3");
    Decision first = decide(1, Optional.empty());
    assertThat(others(first, port)).isEqualTo(1_000);
    assertThat(scheme.isMovedBy(ports, first)).isFalse();
    carry(port, 0, 4_000);
    assertThat(scheme.isMovedBy(ports, first)).isTrue();
    Decision then = decide(1, Optional.of(first));
    assertThat(others(then, port)).isEqualTo(5_000);
    assertThat(scheme.isMovedBy(ports, then)).isFalse();
    carry(port, 0, 3_500);
    assertThat(scheme.isMovedBy(ports, then)).isFalse();
    carry(port, 0, 0);
    assertThat(scheme.isMovedBy(ports, then)).isTrue();
  }

  private static long others(Decision decision, LinkId port) {
    Queue queue = Objects.requireNonNull(decision.directives().queues().get(port));
    return queue.shares().others().toKbpsFloor();
  }

  @Example
  void whoHasNoWayIsToldSo() {
    Network none = network.without(LinkId.of("a", "s1"));
    Decision made =
        scheme
            .decide(
                Snapshot.builder(applications(1), Set.of(), new Routes(none)).ports(ports).build())
            .orElseThrow();
    assertThat(Objects.requireNonNull(made.unserved().get("h/0")).code())
        .isEqualTo(Unserved.Code.NO_PATH);
  }

  private static Map<String, ReservedRate> booked(long... kbps) {
    Map<String, ReservedRate> booked = new HashMap<>();
    for (int i = 0; i < kbps.length; i++) {
      booked.put(
          "h/" + i, ReservedRate.ofCircuit(ReservedRates.Due.firm(kbps(kbps[i])).asCircuit()));
    }
    return booked;
  }

  private Decision decide(Network through, int elephants, Map<String, ReservedRate> booked) {
    return scheme
        .decide(
            Snapshot.builder(applications(elephants), Set.of(), new Routes(through))
                .reservations(booked)
                .ports(ports)
                .build())
        .orElseThrow();
  }

  private Network oneWay() {
    return network.without(LinkId.of("s1", "s3"));
  }

  private static Pace pace(Decision decision, int elephant) {
    return Objects.requireNonNull(
        decision.directives().paces().get(ConversationId.parse("h/" + elephant)));
  }

  @Example
  void othersGoRoundACircuitAndNobodyIsHeldForIt() {
    Decision made = decide(network, 3, booked(5_000));
    assertThat(route(made, 1).path()).isEqualTo(route(made, 2).path());
    assertThat(route(made, 0).path()).isNotEqualTo(route(made, 1).path());
    assertThat(made.directives().paces().values()).noneMatch(Pace::isHeld);
    assertThat(pace(made, 0).rate()).isGreaterThanOrEqualTo(kbps(5_000));
    assertThat(made.remarks()).isEmpty();
  }

  @Example
  void whoSharesTheOnlyWayOfACircuitIsHeldToWhatItLeaves() {
    Decision made = decide(oneWay(), 3, booked(6_000));
    assertThat(pace(made, 0).isHeld()).isFalse();
    assertThat(pace(made, 0).rate()).isGreaterThanOrEqualTo(kbps(6_000));
    // Elephants have 9 of 10 Mbit/s, and a twentieth of that stays free.
    for (int elephant = 1; elephant < 3; elephant++) {
      assertThat(pace(made, elephant).isHeld()).isTrue();
      assertThat(route(made, elephant).isApart()).isTrue();
      assertThat(pace(made, elephant).rate().toKbpsFloor()).isEqualTo(1_275);
    }
    assertThat(made.unserved()).isEmpty();
    assertThat(made.remarks().toString()).contains("2 elephants are held to their grants");
  }

  @Example
  void twoCircuitsOnOneWayAreHeldForEachOther() {
    Decision made = decide(oneWay(), 2, booked(6_000, 1_000));
    assertThat(made.directives().paces().values()).allMatch(Pace::isHeld);
    assertThat(pace(made, 0).rate()).isGreaterThanOrEqualTo(kbps(6_000));
    assertThat(pace(made, 1).rate()).isBetween(kbps(1_000), kbps(2_550));
  }

  @Example
  void aCircuitThatIsAloneIsNotHeld() {
    Decision made = decide(oneWay(), 1, booked(6_000));
    assertThat(made.directives().paces().values()).noneMatch(Pace::isHeld);
  }

  @Example
  void aCircuitWithoutRoomIsAnElephantLikeOthers() {
    Decision made = decide(oneWay(), 2, booked(9_500));
    assertThat(pace(made, 0).rate()).isEqualTo(pace(made, 1).rate());
    assertThat(made.directives().paces().values()).noneMatch(Pace::isHeld);
    assertThat(made.remarks().toString()).contains("1 elephants have no circuit");
  }

  private Decision decide(
      Network through, int elephants, Map<String, ReservedRate> booked, Decision before) {
    return decide(through, elephants, booked, before, Observations.NONE);
  }

  private Decision decide(
      Network through,
      int elephants,
      Map<String, ReservedRate> booked,
      Decision before,
      Observations seen) {
    return scheme
        .decide(
            Snapshot.builder(applications(elephants), Set.of(), new Routes(through))
                .reservations(booked)
                .before(Optional.of(before))
                .paths(paths(before))
                .observations(seen)
                .ports(ports)
                .build())
        .orElseThrow();
  }

  private static ReservedRate circuit(long kbps) {
    return ReservedRate.ofCircuit(ReservedRates.Due.firm(kbps(kbps)).asCircuit());
  }

  /** A new one comes first by name, and would fit as well. */
  @Example
  void aNewBookingNeitherUnseatsACircuitInForceNorMovesIt() {
    Decision first = decide(oneWay(), 2, Map.of("h/1", circuit(6_000)));
    Map<String, ReservedRate> both = Map.of("h/0", circuit(5_000), "h/1", circuit(6_000));
    Decision then = decide(oneWay(), 2, both, first);
    assertThat(pace(then, 1).rate()).isGreaterThanOrEqualTo(kbps(6_000));
    assertThat(then.remarks().toString()).contains("1 elephants have no circuit");

    first = decide(network, 2, Map.of("h/1", circuit(6_000)));
    Path way = route(first, 1).path();
    then = decide(network, 2, both, first);
    assertThat(route(then, 1).path()).isEqualTo(way);
    assertThat(route(then, 0).path()).isNotEqualTo(way);
    then = decide(network, 2, both, then);
    assertThat(route(then, 1).path()).as("once more").isEqualTo(way);
  }

  /** What the circuit leaves on the short way is as much as others leave on the round one. */
  @Example
  void aCircuitCountsOnceWhereALaterElephantChoosesItsWay() {
    carry(LinkId.of("s1", "s3"), 5_000, 0);
    Decision made = decide(network, 2, booked(5_000));
    assertThat(route(made, 0).path()).isEqualTo(SHORT);
    assertThat(route(made, 1).path()).isEqualTo(SHORT);
  }

  private static Observations sent(long period, long... kbps) {
    List<DataRate> sent = new ArrayList<>();
    for (long k : kbps) {
      sent.add(kbps(k));
    }
    return Observations.of(
        period, Map.of("h/0", Observation.of(DataRate.MAX, sent, false, Optional.empty())));
  }

  @Example
  void aCircuitThatMayBeLentHoldsNobodyWhileItSendsNothing() {
    Map<String, ReservedRate> lent =
        Map.of("h/0", ReservedRate.ofCircuit(ReservedRates.Due.adaptive(kbps(6_000)).asCircuit()));
    Decision first = decide(oneWay(), 3, lent);
    assertThat(pace(first, 1).isHeld()).isTrue();
    assertThat(scheme.isMovedBy(sent(1, 5_000), first)).isFalse();
    assertThat(scheme.isMovedBy(sent(2, 0, 5_000), first)).as("a pause").isFalse();
    Observations quiet = sent(3, 0, 10);
    assertThat(scheme.isMovedBy(quiet, first)).isTrue();

    Decision then = decide(oneWay(), 3, lent, first, quiet);
    assertThat(then.directives().paces().values()).noneMatch(Pace::isHeld);
    assertThat(then.remarks().toString()).contains("1 circuits lend");
    assertThat(scheme.isMovedBy(sent(4, 0, 0, 10), then)).isFalse();

    // Its turn among three is 3 Mbit/s, and it is given that at once.
    Observations back = sent(5, 3_000, 0, 0, 10);
    assertThat(scheme.isMovedBy(back, then)).isTrue();
    Decision again = decide(oneWay(), 3, lent, then, back);
    assertThat(pace(again, 1).isHeld()).isTrue();
    assertThat(pace(again, 0).rate()).isGreaterThanOrEqualTo(kbps(6_000));
    assertThat(scheme.isMovedBy(back, again)).isFalse();
  }

  @Example
  void whatWasNotBookedToBeLentIsKeptFromOthersAlsoUnused() {
    Decision first = decide(oneWay(), 3, booked(6_000));
    assertThat(scheme.isMovedBy(sent(3, 0, 0), first)).isFalse();
    Decision then = decide(oneWay(), 3, booked(6_000), first, sent(3, 0, 0));
    assertThat(pace(then, 1).isHeld()).isTrue();
  }

  /** Beside a circuit that is used, one that lends is not held, and others have its share. */
  @Example
  void whatOneLendsAnotherDoesNotKeep() {
    Map<String, ReservedRate> booked =
        Map.of(
            "h/0",
            ReservedRate.ofCircuit(ReservedRates.Due.adaptive(kbps(4_000)).asCircuit()),
            "h/1",
            circuit(2_000));
    Decision first = decide(oneWay(), 3, booked);
    Decision then = decide(oneWay(), 3, booked, first, sent(2, 0, 0));
    assertThat(pace(then, 0).isHeld()).isFalse();
    assertThat(pace(then, 1).isHeld()).as("it is the only one that keeps anything").isFalse();
    assertThat(pace(then, 2).isHeld()).isTrue();
    assertThat(pace(then, 2).rate()).isGreaterThan(pace(first, 2).rate());
    assertThat(pace(then, 1).rate()).isGreaterThanOrEqualTo(kbps(2_000));
  }

  /** By the arbiter, which leaves the scheme a tenth of each link in any case. */
  @Property
  void whateverOthersDoNothingOfACircuitIsTaken(
      @ForAll @Size(min = 1, max = 3) List<@IntRange(min = 1, max = 900) Integer> kbps,
      @ForAll @IntRange(max = 4) int others,
      @ForAll @IntRange(max = 10_000) int beside,
      @ForAll boolean isOneWay) {
    carry(STRAIGHT, 0, beside);
    carry(LinkId.of("s3", "s2"), 0, 10_000 - beside);
    Map<String, ReservedRate> booked = booked(kbps.stream().mapToLong(k -> k).toArray());
    List<Application> all = applications(kbps.size() + others);
    Map<String, SchemeName> ruledBy = new HashMap<>();
    all.forEach(one -> ruledBy.put(one.id(), SchemeName.ELEPHANT_ISOLATION));
    Decision made =
        new Arbiter(List.of(Share.andTheRest(scheme, 100)))
            .decide(
                Snapshot.builder(all, Set.of(), new Routes(isOneWay ? oneWay() : network))
                    .reservations(booked)
                    .ports(ports)
                    .build(),
                ruledBy)
            .orElseThrow();
    Map<LinkId, List<Integer>> crossing = new HashMap<>();
    List<Integer> seated = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean isSeated = i < kbps.size() && pace(made, i).rate().compareTo(kbps(kbps.get(i))) >= 0;
      if (isSeated) {
        seated.add(i);
      }
      for (LinkId hop : route(made, i).path().hops()) {
        crossing.computeIfAbsent(hop, h -> new ArrayList<>()).add(i);
      }
    }
    if (kbps.stream().mapToInt(k -> k).sum() <= 900) {
      assertThat(seated).hasSameSizeAs(kbps);
    }
    made.directives()
        .queues()
        .forEach(
            (link, queue) -> {
              long share = queue.shares().elephants().millibitsPerSecond();
              List<Integer> here = Objects.requireNonNull(crossing.get(link));
              boolean isAnyHeld = here.stream().anyMatch(i -> pace(made, i).isHeld());
              long free = here.stream().filter(i -> !pace(made, i).isHeld()).count();
              long held =
                  here.stream()
                      .filter(i -> pace(made, i).isHeld())
                      .mapToLong(i -> pace(made, i).rate().millibitsPerSecond())
                      .sum();
              // Circuits have the lowest numbers, and two elephants can fill this way.
              boolean hasCircuit = seated.size() == kbps.size() && here.get(0) < kbps.size();
              if (link.equals(STRAIGHT) && hasCircuit && here.size() > 1) {
                assertThat(isAnyHeld).isTrue();
              }
              if (isAnyHeld && link.equals(STRAIGHT)) {
                assertThat(free).isLessThanOrEqualTo(1);
                if (free == 1) {
                  int circuit =
                      here.stream().filter(i -> !pace(made, i).isHeld()).findFirst().orElseThrow();
                  assertThat(circuit).isLessThan(kbps.size());
                  held += kbps(kbps.get(circuit)).millibitsPerSecond();
                }
                assertThat(held).isLessThanOrEqualTo(share);
              }
            });
  }
}
