package org.paceline.control.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.paceline.allocator.reservation.AdaptationRule;
import org.paceline.control.settings.AdaptiveSettings;
import org.paceline.control.settings.ClassSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SchemePlace;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class LinkSplitTest {
  private static final IntentTree NONE_IS_FIXED =
      IntentTree.withDefault(
          UtilityFunction.of(
              "any",
              List.of(DataRate.ofKilobitsPerSecond(100)),
              List.of(Latency.ofMillis(50)),
              List.of(List.of(Utility.of(3.0)))));
  private static final IntentTree ONE_IS_FIXED =
      NONE_IS_FIXED.with(
          IntentPath.parse("backup"),
          Policy.builder()
              .scheme(SchemeName.FIXED_RATE)
              .maximumRate(DataRate.ofKilobitsPerSecond(100))
              .build());

  private static final IntentTree EACH_RULES_ONE =
      ONE_IS_FIXED
          .with(
              IntentPath.parse("video"),
              Policy.builder().scheme(SchemeName.SERVICE_CLASSES).build())
          .with(
              IntentPath.parse("calls"),
              Policy.builder().scheme(SchemeName.ADAPTIVE_RESERVATIONS).build())
          .with(
              IntentPath.parse("copies"),
              Policy.builder().scheme(SchemeName.ELEPHANT_ISOLATION).build());

  @Example
  void aSchemeThatRulesAPlaceOnlyTakesItsShare() {
    PlannerSettings of = settings(500, 400, 300);
    PlannerSettings placed =
        of.toBuilder().places(SchemePlace.parse("10.0.0.0/8=adaptive-reservations")).build();
    assertThat(LinkSplit.of(of).guaranteed(SchemeName.UTILITY_FAIR, ONE_IS_FIXED)).isEqualTo(500);
    assertThat(LinkSplit.of(placed).guaranteed(SchemeName.UTILITY_FAIR, ONE_IS_FIXED))
        .isEqualTo(300);
  }

  @Property(tries = 50, seed = "20")
  void whatIsGuaranteedToAllIsNoMoreThanTheLink(
      @ForAll @IntRange(min = 1, max = 990) int fixed,
      @ForAll @IntRange(min = 1, max = 990) int adaptive,
      @ForAll @IntRange(min = 1, max = 990) int classes) {
    LinkSplit split = LinkSplit.of(settings(fixed, adaptive, classes));
    assertThat(
            Arrays.stream(SchemeName.values())
                .mapToInt(scheme -> split.guaranteed(scheme, EACH_RULES_ONE))
                .sum())
        .isEqualTo(Share.WHOLE);
    for (SchemeName scheme : SchemeName.values()) {
      assertThat(split.guaranteed(scheme, EACH_RULES_ONE)).isBetween(0, split.most(scheme));
    }
    assertThat(split.guaranteed(SchemeName.UTILITY_FAIR, EACH_RULES_ONE)).isPositive();
    assertThat(split.guaranteed(SchemeName.FIXED_RATE, EACH_RULES_ONE)).isEqualTo(fixed);
    assertThat(split.guaranteed(SchemeName.UTILITY_FAIR, ONE_IS_FIXED)).isEqualTo(1_000 - fixed);
    assertThat(split.guaranteed(SchemeName.UTILITY_FAIR, NONE_IS_FIXED)).isEqualTo(Share.WHOLE);
  }

  private static PlannerSettings settings(int fixed, int adaptive, int classes) {
    ClassSettings now = PlannerSettings.DEFAULT.classes();
    return PlannerSettings.DEFAULT.toBuilder()
        .fixedRateThousandths(fixed)
        .adaptive(AdaptiveSettings.of(adaptive, AdaptationRule.DEFAULT, Duration.ofSeconds(2)))
        .classes(ClassSettings.of(classes, now.alpha(), now.split(), now.delta(), now.period()))
        .build();
  }
}
