package org.paceline.control.scheme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.control.Nobody;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Queue;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.inventory.Routes;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.scheme.classes.ServiceClassScheme;
import org.paceline.control.scheme.elephant.ElephantIsolationScheme;
import org.paceline.control.scheme.fixed.FixedRateScheme;
import org.paceline.control.scheme.reservation.AdaptiveReservationScheme;
import org.paceline.control.scheme.utility.Ring;
import org.paceline.control.scheme.utility.UtilityScheme;
import org.paceline.control.settings.ClassSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.utility.UtilityFunction;

final class ArbiterTest {
  private final Scheme utility =
      new UtilityScheme(
          Ring.NEARLY,
          Ring.IN_PEACE.toBuilder().sharing(Sharing.FREE).build(),
          new Nobody.NoJournal());

  private static final ClassSettings CLASSES = PlannerSettings.DEFAULT.classes();

  /** All schemes on the links of one ring, whoever is handed over to whom then. */
  @Property(tries = 25, seed = "20")
  void allSchemesTogetherAreWithinTheLinks(
      @ForAll @Size(max = 20) List<@IntRange(min = 0, max = 4) Integer> schemes,
      @ForAll @IntRange(min = 1, max = 990) int share,
      @ForAll @IntRange(min = 1, max = 990) int adaptiveShare,
      @ForAll @IntRange(min = 1, max = 990) int classShare,
      @ForAll @IntRange(min = 2_000, max = 30_000) int kbps,
      @ForAll @IntRange(min = 0, max = 4) int shift) {
    Network ring = Ring.of(kbps);
    Optional<Decision> before = Optional.empty();
    for (int round = 0; round < 2; round++) {
      Map<String, SchemeName> ruledBy = new TreeMap<>();
      for (int i = 0; i < schemes.size(); i++) {
        ruledBy.put(
            Ring.application(i).id(), SchemeName.values()[(schemes.get(i) + round * shift) % 5]);
      }
      Decision made = decide(ring, share, adaptiveShare, classShare, ruledBy, before);
      check(made, ring, ruledBy, share);
      checkQueues(made, ring, ruledBy);
      // Who shares by utility reckons with the delay of links on which classes keep their share.
      Map<LinkId, Long> byUtility = loads(made, ruledBy, SchemeName.UTILITY_FAIR);
      Map<LinkId, Long> byThoseBefore = loads(made, ruledBy, SchemeName.FIXED_RATE);
      loads(made, ruledBy, SchemeName.ADAPTIVE_RESERVATIONS)
          .forEach((hop, load) -> byThoseBefore.merge(hop, load, Long::sum));
      loads(made, ruledBy, SchemeName.SERVICE_CLASSES)
          .forEach(
              (hop, load) -> {
                if (byUtility.getOrDefault(hop, 0L) > 0) {
                  long left =
                      ring.link(hop).orElseThrow().limitMillibits()
                          - byThoseBefore.getOrDefault(hop, 0L);
                  assertThat(load)
                      .as("%s", hop)
                      .isLessThanOrEqualTo(left / 1_000 * classShare + classShare);
                }
              });
      before = Optional.of(made);
    }
  }

  /** Each port that elephants leave by has queues, and others there have all that was granted. */
  private static void checkQueues(Decision made, Network ring, Map<String, SchemeName> ruledBy) {
    Map<LinkId, Long> byElephants = loads(made, ruledBy, SchemeName.ELEPHANT_ISOLATION);
    assertThat(made.directives().queues().keySet()).isEqualTo(byElephants.keySet());
    Map<LinkId, Long> all = made.directives().loads();
    made.directives()
        .queues()
        .forEach(
            (hop, queue) -> {
              DataRate whole = ring.link(hop).orElseThrow().capacity();
              long others = all.getOrDefault(hop, 0L) - byElephants.getOrDefault(hop, 0L);
              assertThat(queue.shares().others().millibitsPerSecond())
                  .as("%s", hop)
                  .isGreaterThanOrEqualTo(Math.min(others, whole.millibitsPerSecond() - 1_000_000));
              assertThat(queue.shares().total()).isEqualTo(whole);
            });
  }

  @Example
  void elephantsHaveALittleInAnyCaseAndWhatNobodyTakes() {
    Network ring = Ring.of(20_000).without(LinkId.of("n0", "n3"));
    Map<String, SchemeName> ruledBy = new TreeMap<>();
    ruledBy.put("h/0", SchemeName.ELEPHANT_ISOLATION);
    for (int i = 1; i <= 3; i++) {
      ruledBy.put("h/" + 12 * i, SchemeName.UTILITY_FAIR);
    }
    LinkId hop = LinkId.of("n0", "n1");
    Decision made = decide(ring, 500, 500, 400, ruledBy, Optional.empty());
    assertThat(loads(made, ruledBy, SchemeName.UTILITY_FAIR)).containsEntry(hop, 12_000_000_000L);
    assertThat(Objects.requireNonNull(made.grants().get("h/0")).rate().toKbpsFloor())
        .isEqualTo(8_000);
    for (int i = 4; i <= 8; i++) {
      ruledBy.put("h/" + 12 * i, SchemeName.UTILITY_FAIR);
    }
    Decision crowded = decide(ring, 500, 500, 400, ruledBy, Optional.of(made));
    assertThat(Objects.requireNonNull(crowded.grants().get("h/0")).rate().toKbpsFloor())
        .isBetween(2_000L, 3_000L);
  }

  /** A circuit in force would lose its seat to a new one in a plan that is made in peace. */
  @Example
  void whereOneSchemeDecidesAnewTheOthersGoOnFromWhatTheyHad() {
    Map<String, SchemeName> ruledBy = new TreeMap<>();
    ruledBy.put("h/0", SchemeName.ELEPHANT_ISOLATION);
    ruledBy.put("h/12", SchemeName.UTILITY_FAIR);
    Decision made = decide(Ring.of(20_000), 500, 500, 400, ruledBy, Optional.empty());
    Decision anew = Arbiter.without(made, SchemeName.UTILITY_FAIR);
    assertThat(Arbiter.partOf(anew, SchemeName.UTILITY_FAIR)).isEmpty();
    assertThat(Arbiter.partOf(anew, SchemeName.ELEPHANT_ISOLATION))
        .isPresent()
        .isEqualTo(Arbiter.partOf(made, SchemeName.ELEPHANT_ISOLATION));
    assertThat(anew.grants()).isEqualTo(made.grants());
  }

  @Example
  void threeSchemesShareOneLink() {
    // Without the other way round, by which utility would evade the classes.
    Network ring = Ring.of(20_000).without(LinkId.of("n0", "n3"));
    Map<String, SchemeName> ruledBy = new TreeMap<>();
    // From n0 to n1 all of them: every fourth with a number divisible by three.
    ruledBy.put("h/0", SchemeName.FIXED_RATE);
    ruledBy.put("h/12", SchemeName.SERVICE_CLASSES);
    ruledBy.put("h/24", SchemeName.SERVICE_CLASSES);
    ruledBy.put("h/36", SchemeName.UTILITY_FAIR);
    Decision made = decide(ring, 500, 500, 400, ruledBy, Optional.empty());
    assertThat(made.method()).startsWith("fixed rate + service classes + ");
    assertThat(made.grants()).containsOnlyKeys(ruledBy.keySet());
    LinkId hop = LinkId.of("n0", "n1");
    assertThat(loads(made, ruledBy, SchemeName.FIXED_RATE)).containsEntry(hop, 1_300_000_000L);
    // 400 thousandths of the 18.7 Mbit/s that the fixed rate leaves.
    assertThat(loads(made, ruledBy, SchemeName.SERVICE_CLASSES).getOrDefault(hop, 0L))
        .isBetween(7_479_000_000L, 7_481_000_000L);
    assertThat(loads(made, ruledBy, SchemeName.UTILITY_FAIR)).containsEntry(hop, 4_000_000_000L);

    // Where nobody shares by utility, nothing is kept for it.
    ruledBy.remove("h/36");
    Decision alone = decide(ring, 500, 500, 400, ruledBy, Optional.of(made));
    assertThat(loads(alone, ruledBy, SchemeName.SERVICE_CLASSES).getOrDefault(hop, 0L))
        .isBetween(18_699_000_000L, 18_701_000_000L);
  }

  /** What utility was told is left of a link stays so when classes are asked again. */
  @Example
  void whoIsAskedAgainTakesNoMoreWhereOthersWereToldWhatIsLeft() {
    Decision made = onALine("b", membership(1), 2_000, 4_500);
    LinkId shared = LinkId.of("b", "c");
    // Half of the first link; of the second it has less than its half, and utility the rest.
    assertThat(loads(made, BESIDE, SchemeName.SERVICE_CLASSES).getOrDefault(shared, 0L))
        .isBetween(999_000_000L, 1_001_000_000L);
    assertThat(loads(made, BESIDE, SchemeName.UTILITY_FAIR)).containsEntry(shared, 3_500_000_000L);
    // The first link was full at first. Now it has room, and the other holds the class back.
    assertThat(filled(made)).containsExactly(shared);
    assertThat(Arbiter.isFilledBy(made, SchemeName.UTILITY_FAIR, shared)).isFalse();
  }

  /** It is asked again for the first link. Of the others, which it shares, it has what it took. */
  @Example
  void aWideLinkBehindAFullOneIsNotFilled() {
    Decision made = onALine("b", membership(1), 900_000, 4_000, 900_000);
    assertThat(filled(made)).containsExactly(LinkId.of("b", "c"));
  }

  /** It is told that it has of a shared link what it took, which is all that it can use. */
  @Example
  void whoHadEnoughAtFirstFillsNoLinkWhereItIsAskedAgain() {
    Decision made = onALine("a", membershipUpTo(4_000), 20_000, 20_000);
    assertThat(Objects.requireNonNull(made.grants().get("h/1")).rate().toKbpsFloor())
        .isEqualTo(4_000);
    assertThat(filled(made)).isEmpty();
  }

  private static final Map<String, SchemeName> BESIDE =
      Map.of("h/1", SchemeName.SERVICE_CLASSES, "h/2", SchemeName.UTILITY_FAIR);

  /**
   * One of service classes sends over all links of a line, from a over b to its end.
   *
   * @param second where one of utility joins, which goes to the end, too
   * @param capacities in kbit/s, from a on
   */
  private Decision onALine(String second, ClassMembership first, long... capacities) {
    List<String> nodes = List.of("a", "b", "c", "d").subList(0, capacities.length + 1);
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < capacities.length; i++) {
      links.add(
          Link.of(
              nodes.get(i),
              nodes.get(i + 1),
              DataRate.ofKilobitsPerSecond(capacities[i]),
              LinkDelay.constant(Latency.ofMillis(1))));
    }
    String end = nodes.get(capacities.length);
    UtilityFunction upTo4Mbit = Ring.application(0).utilityFunction();
    return arbiterOfAll(500, 500, 500)
        .decide(
            Snapshot.builder(
                    List.of(
                        Application.of("h/1", "a", end, upTo4Mbit),
                        Application.of("h/2", second, end, upTo4Mbit)),
                    Set.of(),
                    new Routes(Network.of(nodes, links)))
                .classes(Map.of("h/1", first))
                .build(),
            BESIDE)
        .orElseThrow();
  }

  /** The links that service classes fill. */
  private static Set<LinkId> filled(Decision made) {
    return Stream.of(LinkId.of("a", "b"), LinkId.of("b", "c"), LinkId.of("c", "d"))
        .filter(link -> Arbiter.isFilledBy(made, SchemeName.SERVICE_CLASSES, link))
        .collect(Collectors.toUnmodifiableSet());
  }

  private Arbiter arbiterOfAll(int share, int adaptiveShare, int classShare) {
    return new Arbiter(
        List.of(
            Share.of(new FixedRateScheme(), share),
            Share.orMore(
                new AdaptiveReservationScheme(PlannerSettings.DEFAULT.adaptive()), adaptiveShare),
            Share.orMore(new ServiceClassScheme(CLASSES), classShare),
            Share.andTheRest(new ElephantIsolationScheme(PlannerSettings.DEFAULT.elephants()), 100),
            Share.of(utility, Share.WHOLE)));
  }

  private Decision decide(
      Network ring,
      int share,
      int adaptiveShare,
      int classShare,
      Map<String, SchemeName> ruledBy,
      Optional<Decision> before) {
    List<Application> applications = new ArrayList<>();
    Map<String, ClassMembership> classes = new TreeMap<>();
    Map<String, ReservedRate> reservations = new TreeMap<>();
    ruledBy.forEach(
        (id, scheme) -> {
          int number = Integer.parseInt(id.substring(2));
          applications.add(
              scheme == SchemeName.FIXED_RATE ? fixed(number) : Ring.application(number));
          if (scheme == SchemeName.SERVICE_CLASSES) {
            classes.put(id, membership(1 + number % 3));
          }
          if (scheme == SchemeName.ADAPTIVE_RESERVATIONS) {
            // Every third is best effort.
            reservations.put(id, reservation(number % 3 * 700));
          }
        });
    Set<String> incumbents = before.map(made -> made.grants().keySet()).orElse(Set.of());
    return arbiterOfAll(share, adaptiveShare, classShare)
        .decide(
            Snapshot.builder(applications, incumbents, new Routes(ring))
                .before(before)
                .classes(classes)
                .reservations(reservations)
                .ports(
                    ring.links().stream()
                        .collect(
                            Collectors.toMap(
                                Link::id, link -> PortState.ofSwitch(link.capacity(), true))))
                .build(),
            ruledBy)
        .orElseThrow();
  }

  private static ReservedRate reservation(long kbps) {
    IntentPath intent = IntentPath.parse("reserved");
    IntentTree tree =
        IntentTree.withDefault(Ring.application(0).utilityFunction())
            .with(
                intent,
                kbps == 0
                    ? Policy.INHERIT_ALL
                    : Policy.builder().minimumRate(DataRate.ofKilobitsPerSecond(kbps)).build());
    return ReservedRate.of(tree.resolve(intent), ReservedRates.Due.NOTHING);
  }

  private static ClassMembership membershipUpTo(long kbps) {
    IntentPath intent = IntentPath.parse("class");
    IntentTree tree =
        IntentTree.withDefault(Ring.application(0).utilityFunction())
            .with(intent, Policy.builder().maximumRate(DataRate.ofKilobitsPerSecond(kbps)).build());
    return ClassMembership.of(tree.resolve(intent), DataRate.ZERO);
  }

  private static ClassMembership membership(int weight) {
    IntentPath intent = IntentPath.parse("class" + weight);
    IntentTree tree =
        IntentTree.withDefault(Ring.application(0).utilityFunction())
            .with(intent, Policy.builder().classWeight(weight).build());
    return ClassMembership.of(tree.resolve(intent), DataRate.ZERO);
  }

  private static Map<LinkId, Long> loads(
      Decision decision, Map<String, SchemeName> ruledBy, SchemeName scheme) {
    List<Grant> grants = new ArrayList<>(decision.grants().values());
    grants.addAll(decision.restrained().values());
    grants.removeIf(grant -> ruledBy.get(grant.applicationId()) != scheme);
    return Ring.loads(grants);
  }

  /** Whoever is ruled by whom, whatever the split becomes, and whoever is handed over then. */
  @Property(tries = 8, seed = "20")
  void theSumOfAllIsWithinTheLinksAndFixedRatesWithinTheirShare(
      @ForAll @IntRange(min = 0, max = 12) int fixed,
      @ForAll @IntRange(min = 0, max = 12) int byUtility,
      @ForAll @IntRange(min = 1, max = 990) int share,
      @ForAll @IntRange(min = 1, max = 990) int shareThen,
      @ForAll @IntRange(min = 2_000, max = 30_000) int kbps,
      @ForAll @Size(24) List<Boolean> handedOver) {
    Network ring = Ring.of(kbps);
    int all = fixed + byUtility;
    Map<String, SchemeName> ruledBy = ruledBy(all, i -> i < fixed);
    Decision first = decide(ring, share, ruledBy, Optional.empty());
    check(first, ring, ruledBy, share);
    Map<String, SchemeName> ruledByThen = ruledBy(all, i -> i < fixed ^ handedOver.get(i));
    Decision then = decide(ring, shareThen, ruledByThen, Optional.of(first));
    check(then, ring, ruledByThen, shareThen);
  }

  @Tag("long")
  @Property(tries = 600, seed = "20")
  void theSameOften(
      @ForAll @IntRange(min = 0, max = 12) int fixed,
      @ForAll @IntRange(min = 0, max = 12) int byUtility,
      @ForAll @IntRange(min = 1, max = 990) int share,
      @ForAll @IntRange(min = 1, max = 990) int shareThen,
      @ForAll @IntRange(min = 2_000, max = 30_000) int kbps,
      @ForAll @Size(24) List<Boolean> handedOver) {
    theSumOfAllIsWithinTheLinksAndFixedRatesWithinTheirShare(
        fixed, byUtility, share, shareThen, kbps, handedOver);
  }

  private static Map<String, SchemeName> ruledBy(int many, IntPredicate isFixed) {
    Map<String, SchemeName> ruledBy = new TreeMap<>();
    for (int i = 0; i < many; i++) {
      ruledBy.put(
          Ring.application(i).id(),
          isFixed.test(i) ? SchemeName.FIXED_RATE : SchemeName.UTILITY_FAIR);
    }
    return ruledBy;
  }

  private Decision decide(
      Network ring, int share, Map<String, SchemeName> ruledBy, Optional<Decision> before) {
    List<Application> applications = new ArrayList<>();
    for (int i = 0; i < ruledBy.size(); i++) {
      Application application = Ring.application(i);
      applications.add(
          ruledBy.get(application.id()) == SchemeName.FIXED_RATE ? fixed(i) : application);
    }
    Set<String> incumbents = before.map(made -> made.grants().keySet()).orElse(Set.of());
    return arbiter(share)
        .decide(
            Snapshot.builder(applications, incumbents, new Routes(ring)).before(before).build(),
            ruledBy)
        .orElseThrow();
  }

  private static void check(
      Decision decision, Network ring, Map<String, SchemeName> ruledBy, int share) {
    List<Grant> all = new ArrayList<>(decision.grants().values());
    all.addAll(decision.restrained().values());
    Ring.assertCarried(ring, all);
    decision
        .directives()
        .paces()
        .values()
        .forEach(
            pace ->
                assertThat(pace.owner()).isEqualTo(ruledBy.get(pace.conversation().toString())));
    assertThat(decision.directives().loads()).isEqualTo(Ring.loads(all));
    all.removeIf(grant -> ruledBy.get(grant.applicationId()) != SchemeName.FIXED_RATE);
    Ring.loads(all)
        .forEach(
            (hop, load) ->
                assertThat(load)
                    .as(hop + " of " + share)
                    .isLessThanOrEqualTo(
                        ring.link(hop).orElseThrow().limitMillibits() / 1000 * share + share));
    ruledBy
        .keySet()
        .forEach(
            id ->
                assertThat(decision.grants().containsKey(id) ^ decision.unserved().containsKey(id))
                    .as(id)
                    .isTrue());
    decision
        .grants()
        .forEach(
            (id, grant) -> {
              if (ruledBy.get(id) == SchemeName.FIXED_RATE) {
                assertThat(grant.rate()).isEqualTo(FIXED);
              }
            });
  }

  /** What a link's delay is depends on everybody's load, whoever rules it. */
  @Example
  void aSchemeSeesTheDelayThatThoseBeforeItCause() {
    Link link =
        Link.of(
            "a",
            "b",
            DataRate.ofKilobitsPerSecond(10_000),
            LinkDelay.piecewise(
                List.of(DataRate.ofKilobitsPerSecond(4_000), DataRate.ofKilobitsPerSecond(8_000)),
                List.of(Latency.ofMillis(1), Latency.ofMillis(9))));
    Link rest = link.beside(6_000_000_000L);
    assertThat(rest.delay().nanosAt(0)).isEqualTo(5_000_000);
    assertThat(rest.delay().nanosAt(1_000_000_000)).isEqualTo(7_000_000);
    assertThat(rest.delay().nanosAt(9_000_000_000L)).isEqualTo(9_000_000);
    assertThat(rest.limitMillibits()).isEqualTo(link.limitMillibits() - 6_000_000_000L);
    assertThat(link.beside(0)).isSameAs(link);
    assertThat(link.delay().above(1).nanosAt(3_999_999_999L)).isEqualTo(1_000_000);
  }

  @Example
  void aSchemeThatTakesMoreThanItsRoomDecidesNothing() {
    Scheme greedy =
        new Scheme() {
          @Override
          public SchemeName name() {
            return SchemeName.UTILITY_FAIR;
          }

          @Override
          public Optional<Decision> decide(Snapshot snapshot) {
            return utility.decide(
                Snapshot.builder(snapshot.applications(), Set.of(), new Routes(Ring.of(1_000_000)))
                    .build());
          }

          @Override
          public boolean isWorthTheChange(Decision inForce, Decision fresh) {
            return false;
          }
        };
    Arbiter arbiter = new Arbiter(List.of(Share.of(greedy, 1_000)));
    Snapshot snapshot =
        Snapshot.builder(List.of(Ring.application(0)), Set.of(), new Routes(Ring.of(500))).build();
    assertThatThrownBy(() -> arbiter.decide(snapshot, Map.of("h/0", SchemeName.UTILITY_FAIR)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("utility-fair")
        .hasMessageContaining("4000 kbit/s of the 500.00005 kbit/s")
        .hasMessageContaining("of the link (n0");
  }

  @Example
  void aSchemeThatDecidesAboutOthersOrForAnotherDecidesNothing() {
    for (SchemeName said : SchemeName.values()) {
      Scheme meddling =
          new Scheme() {
            @Override
            public SchemeName name() {
              return said;
            }

            @Override
            public Optional<Decision> decide(Snapshot snapshot) {
              return utility.decide(
                  Snapshot.builder(
                          List.of(Ring.application(0), Ring.application(1)),
                          Set.of(),
                          snapshot.routes())
                      .build());
            }

            @Override
            public boolean isWorthTheChange(Decision inForce, Decision fresh) {
              return false;
            }
          };
      Arbiter arbiter = new Arbiter(List.of(Share.of(meddling, 1_000)));
      boolean ownsThem = said == SchemeName.UTILITY_FAIR;
      List<Application> ruled =
          ownsThem
              ? List.of(Ring.application(0))
              : List.of(Ring.application(0), Ring.application(1));
      Snapshot snapshot = Snapshot.builder(ruled, Set.of(), new Routes(Ring.of(20_000))).build();
      assertThatThrownBy(() -> arbiter.decide(snapshot, Map.of("h/0", said, "h/1", said)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(said.word())
          .hasMessageContaining(ownsThem ? "utility-fair/pace/h/1" : "utility-fair/pace/h/0");
    }
  }

  @Example
  void queuesOfPortsAreCarriedOutBesideTheRatesOfAll() {
    Decision made = decideAndDivide(SchemeName.FIXED_RATE, 6_000, 14_000);
    assertThat(made.grants()).containsOnlyKeys("h/0", "h/1");
    assertThat(made.directives().queues()).containsOnlyKeys(LinkId.of("n0", "n1"));
    assertThat(made.directives().paces()).hasSize(2);
  }

  @Example
  void aSchemeThatDividesMoreThanALinkOrForAnotherDecidesNothing() {
    assertThatThrownBy(() -> decideAndDivide(SchemeName.FIXED_RATE, 6_000, 14_001))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fixed-rate/queue/n0 -> n1")
        .hasMessageContaining("6000 kbit/s for elephants, 14001 for others of 20000 kbit/s");
    assertThatThrownBy(() -> decideAndDivide(SchemeName.SERVICE_CLASSES, 6_000, 14_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("service-classes/queue/n0 -> n1");
  }

  /** By fixed rates, half of each link, and by utility; the first also divides a port. */
  private Decision decideAndDivide(SchemeName owner, long elephantsKbps, long othersKbps) {
    Scheme dividing =
        new Scheme() {
          @Override
          public SchemeName name() {
            return SchemeName.FIXED_RATE;
          }

          @Override
          public Optional<Decision> decide(Snapshot snapshot) {
            Decision made = new FixedRateScheme().decide(snapshot).orElseThrow();
            return Optional.of(
                Decision.settled("divided", snapshot, System.nanoTime())
                    .unserved(made.unserved())
                    .isolating(
                        name(),
                        made.grants(),
                        Set.of(),
                        made.restrained(),
                        List.of(
                            Queue.of(
                                owner,
                                Directive.Reason.ELEPHANTS,
                                LinkId.of("n0", "n1"),
                                QueueShares.of(
                                    DataRate.ofKilobitsPerSecond(elephantsKbps),
                                    DataRate.ofKilobitsPerSecond(othersKbps)))))
                    .build());
          }

          @Override
          public boolean isWorthTheChange(Decision inForce, Decision fresh) {
            return false;
          }
        };
    Snapshot snapshot =
        Snapshot.builder(
                List.of(fixed(0), Ring.application(1)), Set.of(), new Routes(Ring.of(20_000)))
            .build();
    return new Arbiter(List.of(Share.of(dividing, 500), Share.of(utility, Share.WHOLE)))
        .decide(snapshot, Map.of("h/0", SchemeName.FIXED_RATE, "h/1", SchemeName.UTILITY_FAIR))
        .orElseThrow();
  }

  private static final DataRate FIXED = DataRate.ofKilobitsPerSecond(1_300);

  private static Application fixed(int number) {
    Application like = Ring.application(number);
    return Application.of(like.id(), like.from(), like.to(), like.utilityFunction().at(FIXED));
  }

  private Arbiter arbiter(int share) {
    return new Arbiter(
        List.of(Share.of(new FixedRateScheme(), share), Share.of(utility, Share.WHOLE)));
  }
}
