package org.paceline.control.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.paceline.control.settings.PlannerSettings;
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

  @Property(tries = 50)
  void whatIsGuaranteedToAllIsNoMoreThanTheLink(@ForAll @IntRange(min = 1, max = 900) int fixed) {
    LinkSplit split =
        LinkSplit.of(PlannerSettings.DEFAULT.toBuilder().fixedRateThousandths(fixed).build());
    assertThat(
            Arrays.stream(SchemeName.values())
                .mapToInt(scheme -> split.guaranteed(scheme, ONE_IS_FIXED))
                .sum())
        .isEqualTo(Share.WHOLE);
    for (SchemeName scheme : SchemeName.values()) {
      assertThat(split.guaranteed(scheme, ONE_IS_FIXED)).isBetween(1, split.most(scheme));
    }
    assertThat(split.guaranteed(SchemeName.FIXED_RATE, ONE_IS_FIXED)).isEqualTo(fixed);
    assertThat(split.guaranteed(SchemeName.UTILITY_FAIR, NONE_IS_FIXED)).isEqualTo(Share.WHOLE);
  }
}
