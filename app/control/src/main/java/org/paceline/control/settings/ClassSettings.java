package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import org.paceline.allocator.classes.LowerMean;
import org.paceline.allocator.classes.SplitRule;

/** How the service-classes scheme divides. The letters are those of Aljoby et al. 2021. */
@AutoValue
public abstract class ClassSettings {
  private static final double THOUSAND = 1_000;

  /** Of what fixed rates leave of each link. */
  public abstract int shareThousandths();

  /**
   * 1 gives single conversations the ratio of their classes' weights; the greater, the more alike.
   */
  public abstract double alpha();

  /** How classes are split by what their conversations reach: beta, gamma, and how often. */
  public abstract SplitRule split();

  /** Of the average throughput before, how much stays when a period was measured. */
  public abstract double delta();

  /** Delta_t: how long throughput is measured before rates follow it. */
  public abstract Duration period();

  /** Which meters hold those who have no agent. */
  public abstract ClassMeters meters();

  /** The range of each number is the table's. */
  static ClassSettings of(SettingValues values) {
    return of(
            values.number(SettingTable.CLASS_SHARE),
            values.number(SettingTable.CLASS_ALPHA) / THOUSAND,
            SplitRule.of(
                -values.number(SettingTable.CLASS_BETA) / THOUSAND,
                values.number(SettingTable.CLASS_GAMMA) / THOUSAND,
                LowerMean.parse(values.text(SettingTable.CLASS_LOWER_MEAN)),
                values.number(SettingTable.CLASS_SPLITS)),
            values.number(SettingTable.CLASS_DELTA) / THOUSAND,
            Duration.ofSeconds(values.number(SettingTable.CLASS_PERIOD)))
        .by(ClassMeters.parse(values.text(SettingTable.CLASS_METERS)));
  }

  /** The same, with these meters. */
  public ClassSettings by(ClassMeters meters) {
    return new AutoValue_ClassSettings(
        shareThousandths(), alpha(), split(), delta(), period(), meters);
  }

  /** With a meter of its own for each conversation that needs one. */
  public static ClassSettings of(
      int shareThousandths, double alpha, SplitRule split, double delta, Duration period) {
    return new AutoValue_ClassSettings(
        shareThousandths, alpha, split, delta, period, ClassMeters.PER_CONVERSATION);
  }
}
