package org.paceline.onos.meter;

import com.google.auto.value.AutoValue;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;
import org.paceline.control.telemetry.MeterCount;

/**
 * Switches, spoken to about their meters without ONOS's meter service: that one remembers what it
 * once wrote, and changes no meter.
 */
public interface MeterConfigs {
  /** What a meter does. */
  @AutoValue
  abstract class Config {
    public abstract long kbps();

    public abstract long burst();

    /** What it does instead of dropping above a rate; empty for a drop meter. */
    abstract String otherwise();

    /** It drops what is above the rate, after a burst of so many kilobits. */
    public static Config drop(long kbps, long burst) {
      return new AutoValue_MeterConfigs_Config(kbps, burst, "");
    }

    /** It does something that no meter of ours does, in the switch's words. */
    public static Config other(String words) {
      return new AutoValue_MeterConfigs_Config(0, 0, words);
    }

    /** For a person. */
    @Override
    public final String toString() {
      return otherwise().isEmpty() ? kbps() + " kbit/s, burst " + burst() + " kbit" : otherwise();
    }
  }

  /**
   * By number what each meter of the switch does; empty where nobody here can ask it, and then what
   * ONOS remembers must do.
   */
  Optional<CompletableFuture<Map<Long, Config>>> ask(DeviceId device);

  /**
   * Changes a meter where it is: no rule that leads to it is touched (OpenFlow 1.3.5, A.3.4.4).
   * Completes with whether the switch did it, exceptionally where it is silent; empty where nobody
   * here can tell it.
   */
  Optional<CompletableFuture<Boolean>> change(DeviceId device, long meter, Config to);

  /** By number what each meter of the switch has counted; empty where nobody here can ask it. */
  Optional<CompletableFuture<Map<Long, MeterCount>>> count(DeviceId device);
}
