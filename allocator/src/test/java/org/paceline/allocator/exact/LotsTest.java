package org.paceline.allocator.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.paceline.allocator.SolveOptions;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.problem.Problem;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

class LotsTest {
  private static final UtilityFunction WEB = Catalogue.function("web");
  private static final UtilityFunction VOD = Catalogue.function("vod");

  private static List<Application> members(Random random, int most) {
    List<Application> members = new ArrayList<>();
    for (int m = 0; m <= random.nextInt(most); m++) {
      int count = random.nextInt(4) == 0 ? 1 + random.nextInt(50) : 1;
      members.add(Application.of("user-" + m, "a", "b", WEB, count, 0));
    }
    return members;
  }

  @Property(tries = 100, seed = "20")
  void everyStepIsDealtAsOftenAsItWasChosenWhateverTheOrderOfTheMembers(
      @ForAll @LongRange(max = 1L << 40) long seed) {
    Random random = new Random(seed);
    List<Application> members = members(random, 9_000);
    long[] counts = new long[6];
    for (Application member : members) {
      for (int copy = 0; copy < member.count(); copy++) {
        counts[random.nextInt(3) == 0 ? random.nextInt(6) : 4]++;
      }
    }

    Map<String, List<List<Integer>>> dealt = deal(members, counts);

    long[] got = new long[6];
    for (Application member : members) {
      List<List<Integer>> parts = dealt.getOrDefault(member.id(), List.of());
      assertThat(parts.stream().mapToInt(part -> part.get(1)).sum()).isEqualTo(member.count());
      parts.forEach(part -> got[part.get(0)] += part.get(1));
    }
    assertThat(got).isEqualTo(counts);
    Collections.shuffle(members, random);
    assertThat(deal(members, counts)).isEqualTo(dealt);
  }

  private static Map<String, List<List<Integer>>> deal(List<Application> members, long[] counts) {
    Lots lots = new Lots(members.size(), counts);
    Map<String, Integer> lotOf = new HashMap<>();
    if (!lots.isAlike()) {
      members.forEach(member -> lotOf.put(member.id(), lots.draw(member)));
      lots.settle();
      members.stream()
          .filter(member -> lots.isMixed(lotOf.getOrDefault(member.id(), 0)))
          .forEach(member -> lots.gather(lotOf.getOrDefault(member.id(), 0), member));
      lots.deal();
    }
    Map<String, List<List<Integer>>> dealt = new HashMap<>();
    for (Application member : members) {
      int lot = lotOf.getOrDefault(member.id(), 0);
      List<List<Integer>> parts = new ArrayList<>();
      if (lots.isMixed(lot)) {
        lots.parts(member).forEach(part -> parts.add(List.of(part[0], part[1])));
      } else {
        parts.add(List.of(lots.step(lot), member.count()));
      }
      dealt.put(member.id(), parts);
    }
    return dealt;
  }

  @Property(tries = 10, seed = "20")
  void entriesOfTheirOwnGetTogetherWhatOneEntryWithACountGets(
      @ForAll @LongRange(max = 1L << 40) long seed) {
    // With more than one chunk of grants, and with one.
    int applications = 5_000 + (int) (seed % (seed % 2 == 0 ? 200_000 : 5_000));
    List<Application> single = new ArrayList<>();
    for (int i = 0; i < applications; i++) {
      single.add(Application.of("user-" + i, "a", "b", i % 3 == 0 ? VOD : WEB));
    }
    int third = (applications + 2) / 3;
    List<Application> counted =
        List.of(
            Application.of("vod", "a", "b", VOD, third, 0),
            Application.of("web", "a", "b", WEB, applications - third, 0));

    List<Grant> grants = grants(problem(single, applications));
    assertThat(grants).extracting(Grant::applicationId).isEqualTo(ids(single));
    assertThat(ratesAndCounts(grants))
        .isEqualTo(ratesAndCounts(grants(problem(counted, applications))));
  }

  private static List<String> ids(List<Application> applications) {
    return applications.stream().map(Application::id).collect(Collectors.toList());
  }

  private static List<Grant> grants(Problem problem) {
    return new OneBottleneck().solve(problem, SolveOptions.DEFAULT).orElseThrow().grants();
  }

  private static Map<DataRate, Integer> ratesAndCounts(List<Grant> grants) {
    Map<DataRate, Integer> counts = new HashMap<>();
    grants.forEach(grant -> counts.merge(grant.rate(), grant.count(), Integer::sum));
    return counts;
  }

  private static Problem problem(List<Application> applications, int size) {
    Link link =
        Link.of(
            "a",
            "b",
            DataRate.ofKilobitsPerSecond(size * 1_111L),
            LinkDelay.constant(Latency.ofMillis(2)));
    return Problem.of(
        "lots",
        Network.of(List.of("a", "b"), List.of(link)),
        applications,
        Problem.PAPER_EPSILON,
        Sharing.FREE);
  }
}
