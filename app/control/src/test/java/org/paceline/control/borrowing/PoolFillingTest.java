package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.network.LinkId;

final class PoolFillingTest {
  private static final double NEARLY = 1e-6;

  private final Map<LinkId, Double> capacities = new HashMap<>();
  private final Map<LinkId, Double> others = new HashMap<>();
  private final List<Member> members = new ArrayList<>();
  private final PoolFilling filling = new PoolFilling();

  private static final class Member {
    final PoolId pool;
    final ConversationId id;
    final double rate;
    final Set<LinkId> path;

    Member(PoolId pool, ConversationId id, double rate, Set<LinkId> path) {
      this.pool = pool;
      this.id = id;
      this.rate = rate;
      this.path = path;
    }
  }

  private static LinkId link(int number) {
    return LinkId.of("s" + number, "s" + (number + 1));
  }

  private static PoolId pool(int number) {
    return PoolId.of("h" + number, "eth0");
  }

  private void capacity(int link, double capacity) {
    capacities.put(link(link), capacity);
    filling.link(link(link), capacity);
  }

  private void member(int pool, double rate, boolean borrows, Set<LinkId> path) {
    ConversationId id = ConversationId.of("h" + pool, "c" + members.size());
    members.add(new Member(pool(pool), id, rate, path));
    filling.enter(pool(pool), rate, path);
    if (borrows) {
      filling.borrows(pool(pool), id, rate, path);
    }
  }

  private double load(LinkId link) {
    double load = others.getOrDefault(link, 0.0);
    for (PoolId pool : filling.pools()) {
      double rates = rates(pool, link);
      load += borrowsOn(pool, link) ? Math.max(rates, filling.size(pool)) : rates;
    }
    return load;
  }

  private double rates(PoolId pool, LinkId link) {
    return members.stream()
        .filter(m -> m.pool.equals(pool) && m.path.contains(link))
        .mapToDouble(m -> m.rate)
        .sum();
  }

  private boolean borrowsOn(PoolId pool, LinkId link) {
    return members.stream()
        .anyMatch(m -> m.path.contains(link) && filling.borrowers(pool).contains(m.id));
  }

  @Property(tries = 300, seed = "20")
  void noLinkIsOverloadedAndNoPoolThatBorrowersShareCouldBeLarger(@ForAll Random random) {
    // Anew for each try.
    new PoolFillingTest().fillsAsItShould(random);
  }

  private void fillsAsItShould(Random random) {
    int links = 1 + random.nextInt(6);
    double[] left = new double[links];
    for (int i = 0; i < links; i++) {
      left[i] = 1 + random.nextInt(100);
      capacity(i, left[i]);
    }
    for (int i = 0; i < 1 + random.nextInt(30); i++) {
      Map<LinkId, Integer> path = new HashMap<>();
      for (int hop = 0; hop < 1 + random.nextInt(3); hop++) {
        int link = random.nextInt(links);
        path.put(link(link), link);
      }
      double most = path.values().stream().mapToDouble(l -> left[l]).min().orElseThrow();
      double rate = most * random.nextDouble();
      path.values().forEach(l -> left[l] -= rate);
      int pool = random.nextInt(5);
      if (pool == 4) {
        filling.enter(rate, path.keySet());
        path.keySet().forEach(l -> others.merge(l, rate, Double::sum));
      } else {
        member(pool, rate, random.nextInt(4) > 0, path.keySet());
      }
    }
    if (random.nextBoolean()) {
      filling.busy(pool(random.nextInt(4)));
    }

    filling.fill();

    capacities.forEach(
        (link, capacity) ->
            assertThat(load(link)).as("%s", link).isLessThanOrEqualTo(capacity + NEARLY));
    for (PoolId pool : filling.pools()) {
      if (!filling.borrowers(pool).isEmpty()) {
        assertThat(
                capacities.keySet().stream()
                    .filter(link -> borrowsOn(pool, link))
                    .filter(link -> filling.size(pool) >= rates(pool, link) - NEARLY))
            .as("a link that is full holds %s", pool)
            .anyMatch(link -> load(link) >= capacities.getOrDefault(link, 0.0) - NEARLY);
      }
    }
  }

  @Test
  void aHostThatSharesAnAccessLinkWithABusyOneKeepsAllThatItWasGiven() {
    capacity(0, 100);
    capacity(1, 100);
    capacity(2, 100);
    member(1, 5, true, Set.of(link(0), link(1)));
    member(1, 5, true, Set.of(link(0), link(2)));
    member(3, 30, true, Set.of(link(0), link(1)));
    filling.busy(pool(3));
    filling.fill();
    assertThat(filling.size(pool(1))).isEqualTo(10, within(NEARLY));
    assertThat(filling.size(pool(3))).isEqualTo(90, within(NEARLY));
  }
}
