package org.paceline.intents.kpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.unit.Utility;

/**
 * A model M, those of Sieber et al. 2020, section 4.2, and of the tables that Paceline measured:
 * from what an application measured to what its user thinks of it, clipped to [1, 5]. An intent
 * names the one that its applications are of.
 */
public enum KpiModel {
  /**
   * The paper's text stretches this score by 4/3.6, but its published table, which plans promise
   * from, holds the score itself: promise and measurement must be on one scale.
   */
  WEB(
      "web",
      "Egger et al. 2012, search task: -0.88 ln t + 4.72",
      List.of(seconds("page_load_s", "Until a page has loaded")),
      values -> afterWaiting(values[0], -0.88, 4.72)),

  DOWNLOAD(
      "download",
      "Egger et al. 2012, download of 10 MB: -1.68 ln t + 9.61",
      List.of(seconds("download_10mb_s", "For 10 MB; of other sizes in proportion")),
      values -> afterWaiting(values[0], -1.68, 9.61)),

  VIDEO(
      "video",
      "Sieber et al. 2020, section 4.2.3: 1 + 4 q / 5",
      List.of(
          Kpi.of(
              "quality_level",
              "The mean over a view's segments; ladders of other lengths in proportion",
              0,
              KpiModel.BEST_LEVEL)),
      values -> 1 + 4 * values[0] / KpiModel.BEST_LEVEL),

  SSH(
      "ssh",
      "Casas et al. 2013, figure 5a, piecewise linear; 4.3 is the best score",
      List.of(seconds("response_s", "From a command typed to its whole answer")),
      values -> scaled(KpiModel.typing(values[0]), KpiModel.BEST_TYPING)),

  VOICE(
      "voice",
      "Sun and Ifeachor 2006, equation 10 with table II for G.729; 3.65 is the best score",
      List.of(
          Kpi.of("loss_fraction", "Of packets, also those that come too late", 0, 1),
          Kpi.of("delay_ms", "One way, from mouth to ear", 0, KpiModel.GREATEST_MILLIS)),
      values -> scaled(KpiModel.speech(100 * values[0], values[1]), KpiModel.BEST_SPEECH)),

  /** What {@link #VOICE} is to G.729: as a table of the other it would always seem wrong. */
  G711(
      "g711",
      "ITU-T G.107 (06/2015) with G.113 appendix I for G.711 with concealment; without loss and"
          + " delay it is 5",
      VOICE.kpis,
      values -> scaled(EModel.score(values[0], values[1]), EModel.BEST)),

  /** The worse of both: nobody stays for a picture without speech, nor for the opposite. */
  CONFERENCE(
      "conference",
      "The worse of speech, as g711 has it, and picture, a choice of this project: 2 Mbit/s is"
          + " worth 5, 100 kbit/s 1, by the logarithm of the rate",
      List.of(
          VOICE.kpis.get(0),
          VOICE.kpis.get(1),
          Kpi.of(
              "video_kbps", "Of the picture that is shown, in kbit/s", 0, KpiModel.GREATEST_KBPS)),
      values -> Math.min(G711.score.applyAsDouble(values), picture(values[2]))),

  BACKUP(
      "backup",
      "A choice of this project: 1 GB within 10 minutes is worth 5, in 10 hours 1, by the"
          + " logarithm of the time",
      List.of(goodput()),
      values -> transferred(values[0], 8e6, 600, 36_000)),

  UPDATE(
      "update",
      "A choice of this project: 200 MB within a minute is worth 5, in 4 hours 1, by the"
          + " logarithm of the time",
      List.of(goodput()),
      values -> transferred(values[0], 1.6e6, 60, 14_400)),

  /** Surveillance: where half of the frames are missing nobody recognises what happened. */
  FRAMES(
      "frames",
      "A choice of this project: all frames within a second is worth 5, half of them 1",
      List.of(Kpi.of("frames_in_time_fraction", "Of a camera's, within a second", 0, 1)),
      values -> 1 + 4 * (values[0] - KpiModel.WORST_FRAMES) / (1 - KpiModel.WORST_FRAMES));

  private static final double GREATEST_SECONDS = 86_400;

  private static final double GREATEST_MILLIS = 60_000;

  /** 100 Gbit/s. */
  private static final double GREATEST_KBPS = 1e8;

  /**
   * Up to it the utility table goes; beyond 573 ms the polynomial would rise, to excellent at 1 s.
   */
  private static final double TABLED_MILLIS = 500;

  /** 720p looks well from the one on, and below the other nobody is recognised. */
  private static final double BEST_PICTURE_KBPS = 2_000;

  private static final double WORST_PICTURE_KBPS = 100;

  private static final double WORST_FRAMES = 0.5;

  private static final double BEST_LEVEL = 5;
  private static final double BEST_TYPING = 4.3;
  private static final double BEST_SPEECH = 3.65;

  /** Response times in seconds, each with its score. */
  private static final double[][] TYPING = {
    {0, 4.3}, {0.05, 4.22}, {0.15, 3.65}, {0.2, 3.6}, {0.35, 2.95}, {0.5, 2.6}
  };

  private final String word;
  private final String source;
  private final List<Kpi> kpis;
  private final ToDoubleFunction<double[]> score;

  KpiModel(String word, String source, List<Kpi> kpis, ToDoubleFunction<double[]> score) {
    this.word = word;
    this.source = source;
    this.kpis = kpis;
    this.score = score;
  }

  /** As it is written in documents, requests and commands. */
  public String word() {
    return word;
  }

  /** For people: whose it is, and its formula. */
  public String source() {
    return source;
  }

  /** What it needs, all of them. */
  public List<Kpi> kpis() {
    return kpis;
  }

  /** All, as a sentence lists them. */
  public static String words() {
    return Arrays.stream(values()).map(KpiModel::word).collect(Collectors.joining(", "));
  }

  public static Optional<KpiModel> tryParse(String word) {
    return Arrays.stream(values()).filter(model -> model.word.equals(word)).findFirst();
  }

  /**
   * The model of this word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static KpiModel parse(String word) {
    return tryParse(word)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no KPI model "
                        + Quoted.of(word)
                        + ". Maybe one of "
                        + words()
                        + "."));
  }

  /**
   * What the user thinks, of all that was reported; empty where nothing of it is this model's.
   *
   * @param reported by the KPIs' names, also others
   */
  public Optional<Experience> experience(Map<String, KpiReading> reported) {
    Map<String, KpiReading> used = new TreeMap<>();
    Optional<Kpi> unusable = Optional.empty();
    List<Double> values = new ArrayList<>();
    for (Kpi kpi : kpis) {
      KpiReading reading = reported.get(kpi.name());
      if (reading != null) {
        used.put(kpi.name(), reading);
      }
      if (reading != null && kpi.canBe(reading.value())) {
        values.add(reading.value());
      } else if (unusable.isEmpty()) {
        unusable = Optional.of(kpi);
      }
    }
    if (used.isEmpty()) {
      return Optional.empty();
    }
    Optional<Utility> utility =
        unusable.isPresent()
            ? Optional.empty()
            : Optional.of(
                clipped(
                    score.applyAsDouble(
                        values.stream().mapToDouble(Double::doubleValue).toArray())));
    return Optional.of(Experience.of(this, used, utility, unusable));
  }

  private static Kpi seconds(String name, String meaning) {
    return Kpi.of(name, meaning, 0, GREATEST_SECONDS);
  }

  private static Kpi goodput() {
    return Kpi.of("goodput_kbps", "Payload that arrives, in kbit/s", 0, GREATEST_KBPS);
  }

  /** Of so many kilobits: 5 until the one time, 1 from the other, by the logarithm between. */
  private static double transferred(double kbps, double kilobits, double bestS, double worstS) {
    return kbps == 0 ? 1 : 5 - 4 * Math.log(kilobits / kbps / bestS) / Math.log(worstS / bestS);
  }

  private static double picture(double kbps) {
    double seen = Math.max(kbps, WORST_PICTURE_KBPS);
    return 1
        + 4
            * Math.log(seen / WORST_PICTURE_KBPS)
            / Math.log(BEST_PICTURE_KBPS / WORST_PICTURE_KBPS);
  }

  private static double afterWaiting(double seconds, double slope, double atOneSecond) {
    return seconds == 0 ? Double.MAX_VALUE : slope * Math.log(seconds) + atOneSecond;
  }

  /** A score from 1 to the best as from 1 to 5. */
  private static double scaled(double score, double best) {
    return (score - 1) * 4 / (best - 1) + 1;
  }

  /** On along the last piece: 1 at 1.2 s. */
  private static double typing(double seconds) {
    int piece = 1;
    while (piece < TYPING.length - 1 && seconds > TYPING[piece][0]) {
      piece++;
    }
    double[] from = TYPING[piece - 1];
    double[] to = TYPING[piece];
    return from[1] + (to[1] - from[1]) * (seconds - from[0]) / (to[0] - from[0]);
  }

  /** Beyond the delays of the utility table on along its tangent without loss. */
  private static double speech(double percent, double millis) {
    double beyond = Math.max(0, millis - TABLED_MILLIS);
    return polynomial(percent, millis - beyond) - 2.63e-3 * beyond;
  }

  private static double polynomial(double percent, double millis) {
    return 3.61
        - 0.13 * percent
        + 1.22e-3 * millis
        + 3.76e-3 * percent * percent
        - 2.29e-5 * millis * millis
        + 4.71e-6 * percent * millis
        - 5.16e-5 * percent * percent * percent
        + 2.54e-8 * millis * millis * millis
        + 1.28e-7 * percent * millis * millis
        - 4.43e-8 * percent * percent * millis;
  }

  private static Utility clipped(double score) {
    return Utility.of(Math.min(5, Math.max(1, score)));
  }
}
