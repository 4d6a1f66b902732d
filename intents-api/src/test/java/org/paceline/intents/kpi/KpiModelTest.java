package org.paceline.intents.kpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.intents.unit.Utility;

/**
 * Held to the points of kpi-models.csv, as the lab's models are
 * (tools/lab/tests/traffic/test_kpi.py).
 */
final class KpiModelTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  private static final Set<String> MORE_IS_BETTER =
      Set.of("quality_level", "goodput_kbps", "video_kbps", "frames_in_time_fraction");

  /** Of the polynomial of speech, where much is lost. */
  private static final double RIPPLE = 0.005;

  /** Where that begins to fall with the delay; it rises by 0.03 before. */
  private static final double SPEECH_FALLS_MILLIS = 28.1;

  @Test
  void eachModelHasTheUtilitiesOfTheTableThatTheLabIsHeldTo() throws IOException {
    Set<KpiModel> seen = new HashSet<>();
    for (String line : lines()) {
      String[] cells = line.split(",", -1);
      KpiModel model = KpiModel.parse(cells[0]);
      seen.add(model);
      double[] values =
          Arrays.stream(cells, 1, 4)
              .filter(cell -> !cell.isEmpty())
              .mapToDouble(Double::parseDouble)
              .toArray();
      assertThat(utility(model, values))
          .as(line)
          .isCloseTo(Double.parseDouble(cells[4]), within(1e-8));
    }
    assertThat(seen).containsExactlyInAnyOrder(KpiModel.values());
  }

  @Test
  void aWorseValueIsNeverABetterExperience() {
    Random dice = new Random(20);
    for (KpiModel model : KpiModel.values()) {
      for (int round = 0; round < 5_000; round++) {
        double[] better = drawn(model, dice);
        double[] worse = better.clone();
        int which = dice.nextInt(worse.length);
        Kpi kpi = model.kpis().get(which);
        boolean moreIsBetter = MORE_IS_BETTER.contains(kpi.name());
        double end = moreIsBetter ? kpi.least() : kpi.greatest();
        worse[which] += (end - worse[which]) * Math.pow(dice.nextDouble(), 6);
        assertThat(utility(model, worse))
            .as("%s %s", model, List.of(better[0], worse[0]))
            .isLessThanOrEqualTo(utility(model, better) + RIPPLE)
            .isBetween(1.0, 5.0);
      }
    }
  }

  @Test
  void aValueThatNoSuchKpiCanHaveMakesNoUtilityAndIsNamed() {
    for (double absurd : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1e9}) {
      Experience felt =
          KpiModel.WEB.experience(Map.of("page_load_s", KpiReading.of(absurd, NOON))).orElseThrow();
      assertThat(felt.utility()).isEmpty();
      assertThat(felt.unusable()).contains(KpiModel.WEB.kpis().get(0));
    }
  }

  @Test
  void ofTwoKpisBothAreNeededAndTheOlderSaysHowOldItIs() {
    KpiReading loss = KpiReading.of(0.01, NOON);
    KpiReading delay = KpiReading.of(80, NOON.minusSeconds(9));
    Experience half = KpiModel.VOICE.experience(Map.of("loss_fraction", loss)).orElseThrow();
    assertThat(half.utility()).isEmpty();
    assertThat(half.unusable().map(Kpi::name)).contains("delay_ms");
    Experience whole =
        KpiModel.VOICE
            .experience(Map.of("loss_fraction", loss, "delay_ms", delay, "rtt_ms", loss))
            .orElseThrow();
    assertThat(whole.utility()).isPresent();
    assertThat(whole.at()).isEqualTo(delay.at());
    assertThat(whole.kpis()).containsOnlyKeys("loss_fraction", "delay_ms");
  }

  @Test
  void whatIsNotTheModelsMakesNoExperience() {
    assertThat(KpiModel.SSH.experience(Map.of("page_load_s", KpiReading.of(1, NOON)))).isEmpty();
    assertThat(KpiModel.SSH.experience(Map.of())).isEmpty();
  }

  @Test
  void anUnknownModelIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> KpiModel.parse("games"))
        .hasMessage(
            "There is no KPI model (games). Maybe one of web, download, video, ssh, voice, g711,"
                + " conference, backup, update, frames.");
  }

  private static double[] drawn(KpiModel model, Random dice) {
    double[] values = new double[model.kpis().size()];
    for (int k = 0; k < values.length; k++) {
      Kpi kpi = model.kpis().get(k);
      double least = kpi.name().equals("delay_ms") ? SPEECH_FALLS_MILLIS : kpi.least();
      values[k] = least + (kpi.greatest() - least) * Math.pow(dice.nextDouble(), 6);
    }
    return values;
  }

  private static double utility(KpiModel model, double[] values) {
    Map<String, KpiReading> reported = new HashMap<>();
    for (int k = 0; k < values.length; k++) {
      reported.put(model.kpis().get(k).name(), KpiReading.of(values[k], NOON));
    }
    return model
        .experience(reported)
        .flatMap(Experience::utility)
        .map(Utility::value)
        .orElseThrow()
        .doubleValue();
  }

  private static List<String> lines() throws IOException {
    try (BufferedReader table =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(KpiModelTest.class.getResourceAsStream("/kpi-models.csv")),
                StandardCharsets.UTF_8))) {
      return table.lines().skip(1).collect(Collectors.toList());
    }
  }
}
