package org.paceline.onos.meter;

import com.google.auto.value.AutoValue;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;
import org.paceline.control.telemetry.MeterCount;

/** Switches, asked what their meters really do and did: ONOS remembers what it once wrote. */
public interface MeterConfigs {
  /** What a meter does. */
  @AutoValue
  abstract class Config {
    abstract long kbps();

    abstract long burst();

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

  /** By number what each meter of the switch has counted; empty where nobody here can ask it. */
  Optional<CompletableFuture<Map<Long, MeterCount>>> count(DeviceId device);
}
