package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** How often switches are asked for what they count, each kind of counter in its own period. */
@AutoValue
public abstract class CounterPeriods {
  public abstract Duration ports();

  public abstract Duration queues();

  /**
   * Schemes that measure have meters read besides, when a period of theirs ends. Nobody does that
   * for conversations that may become elephants: two readings must fall into the time in which they
   * send what makes them one.
   */
  public abstract Duration meters();

  /** Of the two by which is known what links drop, the longer one. */
  public final Duration ofDrops() {
    return ports().compareTo(queues()) > 0 ? ports() : queues();
  }

  static CounterPeriods of(SettingValues values) {
    Duration ports = Duration.ofSeconds(values.number(SettingTable.COUNTER_PERIOD));
    Duration halfOfAdaptive = half(values, SettingTable.ADAPTIVE_PERIOD);
    Duration meters =
        orElse(
            values,
            SettingTable.METER_COUNTER_PERIOD,
            halfOfAdaptive.compareTo(ports) < 0 ? halfOfAdaptive : ports);
    Duration ofElephants = half(values, SettingTable.ELEPHANT_SECONDS);
    boolean isForElephants =
        !ElephantSettings.of(values).branches().isEmpty() && ofElephants.compareTo(meters) < 0;
    return new AutoValue_CounterPeriods(
        ports,
        orElse(values, SettingTable.QUEUE_COUNTER_PERIOD, ports),
        isForElephants ? ofElephants : meters);
  }

  /** 0 says that another setting holds. */
  private static Duration orElse(SettingValues values, Setting setting, Duration other) {
    int seconds = values.number(setting);
    return seconds == 0 ? other : Duration.ofSeconds(seconds);
  }

  private static Duration half(SettingValues values, Setting period) {
    return Duration.ofSeconds(values.number(period)).dividedBy(2);
  }
}
