package org.paceline.control.scheme.utility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.Nobody;
import org.paceline.control.inventory.Routes;
import org.paceline.control.scheme.Decision;
import org.paceline.control.scheme.Scheme;
import org.paceline.control.scheme.Snapshot;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;

/** What a changed network changes at once, and what a full solution makes of it then. */
final class FaultStepTest {
  /** The first step of everybody's table, in millibits per second. */
  private static final long LEAST = 100_000_000;

  private static final LinkId LOST = LinkId.of("n0", "n1");

  private final PlanSolver solver = new PlanSolver(Ring.NEARLY, Ring.IN_PEACE, warning -> {});

  @Test
  void onlyWhoLostItsWayIsChangedAtOnce() {
    List<Application> applications = applications(16);
    PlanAnswer before = full(applications, Ring.of(30_000));
    PlanAnswer step = step(applications, before, Ring.of(30_000).without(LOST)).orElseThrow();
    assertThat(step.method()).isEqualTo("mended");
    assertThat(step.gap()).isBetween(0.0, 1.0);
    before.grants.forEach(
        (id, was) -> {
          Grant now = Optional.ofNullable(step.grants.get(id)).orElseThrow();
          if (was.path().hops().contains(LOST)) {
            assertThat(now.path().hops()).doesNotContain(LOST);
          } else {
            assertThat(now).isEqualTo(was);
          }
        });
    assertThat(step.grants.values())
        .anyMatch(now -> !now.equals(before.grants.get(now.applicationId())));
  }

  @Test
  void onFullLinksThoseMakeRoomWhoAreInTheWayAndNobodyElse() {
    List<Application> applications = applications(16);
    Network network = Ring.of(8_000);
    PlanAnswer before = full(applications, network);
    PlanAnswer step = step(applications, before, network.without(LOST)).orElseThrow();
    Ring.assertCarried(network.without(LOST), step.grants.values());
    assertThat(step.grants).hasSize(16);
    assertThat(before.grants.values())
        .filteredOn(FaultStepTest::isTheOtherWayRound)
        .isNotEmpty()
        .allMatch(was -> was.equals(step.grants.get(was.applicationId())));
  }

  /** The other direction of the ring, which has no part in it. */
  private static boolean isTheOtherWayRound(Grant grant) {
    return grant.path().hops().stream()
        .allMatch(hop -> (number(hop.to()) + 3) % 4 == number(hop.from()) && !hop.equals(LOST));
  }

  private static int number(String node) {
    return node.charAt(1) - '0';
  }

  @Test
  void whoLosesTogetherSharesEvenly() {
    List<Application> applications = new ArrayList<>();
    for (int each = 0; each < 4; each++) {
      applications.add(Ring.application(12 * each));
    }
    Network network = Ring.of(6_000);
    PlanAnswer before = full(applications, network);
    for (Link link : List.copyOf(network.links())) {
      network = network.with(link.withCapacity(DataRate.ofKilobitsPerSecond(1_000)));
    }
    PlanAnswer step = step(applications, before, network).orElseThrow();
    Ring.assertCarried(network, step.grants.values());
    // Two ways of ten steps for four, or of whatever part of it a plan may grant.
    assertThat(step.grants.values())
        .extracting(grant -> grant.rate().toKbpsFloor())
        .allMatch(kbps -> kbps == 400 || kbps == 500);
  }

  @Test
  void whatComesBackIsForTheFullSolution() {
    List<Application> applications = applications(16);
    PlanAnswer before = full(applications, Ring.of(10_000).without(LOST));
    assertThat(step(applications, before, Ring.of(10_000))).isEmpty();
    assertThat(step(applications, before, Ring.of(12_000).without(LOST))).isEmpty();
  }

  @Test
  void whoIsCutOffIsRefusedAtOnceAndTheOthersGoRound() {
    List<Application> applications = applications(24);
    PlanAnswer before = full(applications, Ring.of(10_000));
    Network cut = Ring.of(10_000).without(LOST).without(LinkId.of("n0", "n3"));
    PlanAnswer step = step(applications, before, cut).orElseThrow();
    assertThat(step.unserved).hasSize(6);
    assertThat(step.unserved.values())
        .allMatch(why -> why.reason().startsWith("No way leads from (n0)"));
    assertThat(step.grants).hasSize(18);
    Ring.assertCarried(cut, step.grants.values());
  }

  @Test
  void whereOneLinkDecidesTheAnswerIsTheExactOne() {
    List<Application> applications = List.of(Ring.application(0), Ring.application(12));
    Network line = Ring.of(6_000).without(LinkId.of("n0", "n3"));
    PlanAnswer before = full(applications, line);
    assertThat(before.method()).isEqualTo("exact");
    Link narrow = line.link(LOST).orElseThrow().withCapacity(DataRate.ofKilobitsPerSecond(3_000));
    assertThat(step(applications, before, line.with(narrow))).isEmpty();
  }

  /** Links go, come back, shrink and grow at random, as long as the least rates have room. */
  @Property(tries = 12, seed = "20")
  void theStepIsCarriedLeavesTheUntouchedAloneAndTheFullSolutionFollows(@ForAll long seed) {
    Random random = new Random(seed);
    List<Application> applications = applications(4 + random.nextInt(16));
    Network full = Ring.of(8_000);
    Network network = full;
    PlanAnswer inForce = full(applications, network);
    for (int event = 0; event < 5; event++) {
      network = changed(network, full, random);
      Optional<PlanAnswer> step = step(applications, inForce, network);
      if (step.isPresent()) {
        Ring.assertCarried(network, step.get().grants.values());
        assertThat(step.get().grants.keySet()).isEqualTo(inForce.grants.keySet());
        assertUntouchedUnlessInTheWay(inForce.grants, step.get().grants, network);
        inForce = step.get();
      }
      PlanAnswer fresh = full(applications, network);
      Map<String, Grant> best = Map.copyOf(fresh.grants);
      continuity(applications, inForce, network)
          .stand(fresh, Optional.empty())
          .ifPresent(fresh::hold);
      Ring.assertCarried(network, fresh.grants.values());
      assertThat(fresh.grants.keySet()).isEqualTo(best.keySet());
      assertThat(sum(fresh.grants)).isGreaterThanOrEqualTo(sum(best) - 0.05 * best.size());
      inForce = fresh;
    }
  }

  private static List<Application> applications(int count) {
    return IntStream.range(0, count).mapToObj(Ring::application).collect(Collectors.toList());
  }

  private PlanAnswer full(List<Application> applications, Network network) {
    return solver.solve(applications, Set.of(), new Routes(network));
  }

  private Optional<PlanAnswer> step(
      List<Application> applications, PlanAnswer before, Network network) {
    return solver.mend(applications, decided(applications, before, network), new Routes(network));
  }

  private Continuity continuity(
      List<Application> applications, PlanAnswer inForce, Network network) {
    return new Continuity(
        Snapshot.builder(applications, Set.of(), new Routes(network))
            .before(Optional.of(decided(applications, inForce, network)))
            .build(),
        new Nobody.NoJournal());
  }

  private static Decision decided(
      List<Application> applications, PlanAnswer answer, Network network) {
    return answer.decision(
        Snapshot.builder(applications, Set.of(), new Routes(network)).build(),
        false,
        new Scheme.Memory() {});
  }

  private static Network changed(Network network, Network full, Random random) {
    List<Link> links = List.copyOf(full.links());
    Link link = links.get(random.nextInt(links.size()));
    switch (random.nextInt(3)) {
      case 0:
        // A ring without one link is a line; without two it may fall apart, which is tried above.
        return network.links().size() == links.size() ? network.without(link.id()) : full;
      case 1:
        return network
            .link(link.id())
            .map(
                l ->
                    network.with(
                        l.withCapacity(
                            DataRate.ofKilobitsPerSecond(3_000 + random.nextInt(9_000)))))
            .orElse(network);
      default:
        return full;
    }
  }

  /** Who keeps a way that is there, and carries it, changes only on a link without room. */
  private static void assertUntouchedUnlessInTheWay(
      Map<String, Grant> before, Map<String, Grant> after, Network network) {
    Map<LinkId, Long> loads = Ring.loads(before.values());
    Map<String, Grant> untouched = new HashMap<>(before);
    untouched
        .values()
        .removeIf(
            grant ->
                grant.path().hops().stream()
                    .anyMatch(hop -> loads.getOrDefault(hop, 0L) > limit(network, hop)));
    Map<LinkId, Long> kept = Ring.loads(untouched.values());
    long leastOfAll = LEAST * before.size();
    untouched.forEach(
        (id, was) ->
            assertThat(
                    was.equals(after.get(id))
                        || was.path().hops().stream()
                            .anyMatch(
                                hop ->
                                    kept.getOrDefault(hop, 0L) + leastOfAll > limit(network, hop)))
                .as(id)
                .isTrue());
  }

  private static long limit(Network network, LinkId hop) {
    return network.link(hop).map(Link::limitMillibits).orElse(0L);
  }

  private static double sum(Map<String, Grant> grants) {
    return grants.values().stream().mapToDouble(g -> g.utility().billionths() / 1e9).sum();
  }
}
