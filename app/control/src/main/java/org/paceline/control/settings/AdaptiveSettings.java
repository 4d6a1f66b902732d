package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import org.paceline.allocator.reservation.AdaptationRule;

/** How adaptive reservations follow what conversations send. Boley et al. 2017. */
@AutoValue
public abstract class AdaptiveSettings {
  /** Of what fixed rates leave of each link. */
  public abstract int shareThousandths();

  /** When a conversation leaves something, and when it wants more. */
  public abstract AdaptationRule rule();

  /** How long is measured before rates follow. */
  public abstract Duration period();

  /** The range of each number is the table's. */
  static AdaptiveSettings of(SettingValues values) {
    return of(
        values.number(SettingTable.ADAPTIVE_SHARE),
        AdaptationRule.of(
            values.number(SettingTable.ADAPTIVE_MARGIN),
            values.number(SettingTable.ADAPTIVE_HEADROOM),
            values.number(SettingTable.ADAPTIVE_GROWTH),
            values.number(SettingTable.ADAPTIVE_FLOOR)),
        Duration.ofSeconds(values.number(SettingTable.ADAPTIVE_PERIOD)));
  }

  public static AdaptiveSettings of(int shareThousandths, AdaptationRule rule, Duration period) {
    return new AutoValue_AdaptiveSettings(shareThousandths, rule, period);
  }
}
