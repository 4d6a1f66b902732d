package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;

final class ProgressiveFillingTest {
  private static final LinkId AB = LinkId.of("a", "b");
  private static final LinkId BC = LinkId.of("b", "c");

  private static final class Claimed {
    final ConversationId id;
    final long weight;
    final double most;
    final List<LinkId> path;

    Claimed(ConversationId id, long weight, double most, List<LinkId> path) {
      this.id = id;
      this.weight = weight;
      this.most = most;
      this.path = path;
    }
  }

  /** Bertsekas and Gallager's parking lot: who crosses both links has less, the rest is others'. */
  @Test
  void sharesGrowTogetherUntilALinkIsFullAndTheOthersGoOn() {
    ProgressiveFilling filling = new ProgressiveFilling();
    filling.link(AB, 100);
    filling.link(BC, 400);
    filling.claim(id("both"), 10, Double.POSITIVE_INFINITY, List.of(AB, BC));
    filling.claim(id("first"), 30, Double.POSITIVE_INFINITY, List.of(AB));
    filling.claim(id("second"), 25, Double.POSITIVE_INFINITY, List.of(BC));
    assertThat(filling.levels())
        .isEqualTo(Map.of(id("both"), 2.5, id("first"), 2.5, id("second"), 15.0));
  }

  @Test
  void whoWantsLessLeavesTheRestToTheOthers() {
    ProgressiveFilling filling = new ProgressiveFilling();
    filling.link(AB, 100);
    filling.claim(id("modest"), 10, 1, List.of(AB));
    filling.claim(id("any"), 10, Double.POSITIVE_INFINITY, List.of(AB));
    assertThat(filling.levels()).isEqualTo(Map.of(id("modest"), 1.0, id("any"), 9.0));
  }

  @Test
  void whereNothingIsKnownOfALinkAndWithoutAnyThereIsNothing() {
    ProgressiveFilling filling = new ProgressiveFilling();
    filling.claim(id("gone"), 10, Double.POSITIVE_INFINITY, List.of(AB));
    filling.claim(id("nowhere"), 10, Double.POSITIVE_INFINITY, List.of());
    assertThat(filling.levels()).isEqualTo(Map.of(id("gone"), 0.0, id("nowhere"), 0.0));
  }

  /**
   * What makes it max-min: no link is overfull, and each has what it wants or crosses a full link
   * on which nobody has a higher level.
   */
  @Property(tries = 500, seed = "20")
  void nobodyCanHaveMoreWithoutSomebodyWhoHasNoMoreHavingLess(@ForAll long seed) {
    Random random = new Random(seed);
    List<LinkId> links = new ArrayList<>();
    Map<LinkId, Long> room = new HashMap<>();
    for (int n = 0; n < 1 + random.nextInt(6); n++) {
      LinkId link = LinkId.of("n" + n, "m" + n);
      links.add(link);
      room.put(link, random.nextInt(8) == 0 ? 0 : (long) random.nextInt(1_000_000));
    }
    List<Claimed> claims = new ArrayList<>();
    ProgressiveFilling filling = new ProgressiveFilling();
    room.forEach(filling::link);
    for (int n = 0; n < random.nextInt(20); n++) {
      List<LinkId> path = new ArrayList<>(links);
      path.removeIf(link -> random.nextBoolean());
      double most = random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : random.nextDouble() * 100;
      Claimed claim = new Claimed(id("c" + n), 1 + random.nextInt(10_000), most, path);
      claims.add(claim);
      filling.claim(claim.id, claim.weight, claim.most, claim.path);
    }
    Map<ConversationId, Double> levels = filling.levels();
    assertThat(levels).hasSize(claims.size());
    Map<LinkId, Double> taken = new HashMap<>();
    Map<LinkId, Double> highest = new HashMap<>();
    for (Claimed claim : claims) {
      double level = levels.getOrDefault(claim.id, Double.NaN);
      for (LinkId link : claim.path) {
        taken.merge(link, level * claim.weight, Double::sum);
        highest.merge(link, level, Math::max);
      }
    }
    taken.forEach((link, sum) -> assertThat(sum).isLessThanOrEqualTo(of(room, link) + 1e-3));
    for (Claimed claim : claims) {
      double level = levels.getOrDefault(claim.id, Double.NaN);
      boolean isHeldBack =
          claim.path.isEmpty()
              || claim.path.stream()
                  .anyMatch(
                      link ->
                          of(taken, link) >= of(room, link) - 1e-3
                              && level >= of(highest, link) - 1e-9);
      assertThat(level >= claim.most - 1e-9 || isHeldBack).isTrue();
      assertThat(level).isLessThanOrEqualTo(claim.most);
    }
  }

  private static double of(Map<LinkId, ? extends Number> figures, LinkId link) {
    return Objects.requireNonNull(figures.get(link)).doubleValue();
  }

  private static ConversationId id(String name) {
    return ConversationId.of("h", name);
  }
}
