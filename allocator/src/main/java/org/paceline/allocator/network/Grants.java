package org.paceline.allocator.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.paceline.allocator.exact.Staircase;
import org.paceline.allocator.network.groups.Allocation;
import org.paceline.allocator.network.groups.Demands;
import org.paceline.allocator.network.groups.Offers;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;

/** Turns choices of groups into grants of applications: the best to the first by id. */
final class Grants {
  private final Offers offers;

  Grants(Offers offers) {
    this.offers = offers;
  }

  List<Grant> of(Allocation allocation) {
    List<List<long[]>> choices = new ArrayList<>();
    for (int g = 0; g < offers.demands().groups(); g++) {
      choices.add(new ArrayList<>(4));
    }
    for (int u = 0; u < allocation.units(); u++) {
      choices.get(allocation.group(u)).add(new long[] {allocation.path(u), allocation.step(u), 1});
    }
    for (long[] part : allocation.bulk()) {
      choices.get((int) part[0]).add(new long[] {part[1], part[2], part[3]});
    }
    Grant[] grants =
        IntStream.range(0, choices.size())
            .parallel()
            .boxed()
            .flatMap(g -> of(g, choices.get(g)).stream())
            .toArray(Grant[]::new);
    Arrays.parallelSort(
        grants,
        Comparator.comparing(Grant::applicationId)
            .thenComparing(Comparator.comparing(Grant::utility).reversed()));
    return Arrays.asList(grants);
  }

  private List<Grant> of(int group, List<long[]> choices) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    choices.forEach(c -> counts.merge(c[0] * 1_000_000L + c[1], c[2], Long::sum));
    List<Grant> grants = new ArrayList<>(choices.size());
    Demands.Group of = offers.demands().group(group);
    List<long[]> parts = new ArrayList<>();
    counts.forEach(
        (key, count) -> {
          int way = (int) (key / 1_000_000L);
          int step = (int) (key % 1_000_000L);
          parts.add(new long[] {way, step, count, offers.profile(group, way).utility(step)});
        });
    parts.sort(Comparator.comparingLong(p -> -p[3]));
    int at = 0;
    long left = parts.get(0)[2];
    Path[] paths = new Path[offers.ways().count(of.pair())];
    for (Application member : of.members()) {
      long wanted = member.count();
      while (wanted > 0) {
        if (left == 0) {
          at++;
          left = parts.get(at)[2];
        }
        long given = Math.min(wanted, left);
        int way = (int) parts.get(at)[0];
        if (paths[way] == null) {
          paths[way] = offers.ways().topology().path(offers.ways().path(of.pair(), way));
        }
        grants.add(grant(member, (int) given, group, way, parts.get(at), paths[way]));
        wanted -= given;
        left -= given;
      }
    }
    return grants;
  }

  private Grant grant(Application member, int count, int group, int way, long[] part, Path path) {
    Demands.Group of = offers.demands().group(group);
    int bin = offers.demands().delayBin(of.function(), offers.ways().delay(of.pair(), way));
    Staircase stairs =
        offers.demands().staircase(of.function(), bin).orElseThrow(AssertionError::new);
    int step = stairs.firstAtLeast(part[3]);
    return Grant.of(
        member.id(), count, stairs.rate(step), stairs.delay(step), stairs.utility(step), path);
  }
}
