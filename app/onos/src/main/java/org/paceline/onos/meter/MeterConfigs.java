package org.paceline.onos.meter;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;

/** Switches, asked what their meters really do: ONOS only remembers what it once wrote. */
public interface MeterConfigs {
  /**
   * By number what each meter of the switch does, in the words of {@link #text}; empty where nobody
   * here can ask it, and then what ONOS remembers must do.
   */
  Optional<CompletableFuture<Map<Long, String>>> ask(DeviceId device);

  /** For a person, and to compare with what was asked. */
  static String text(long kbps, long burst) {
    return kbps + " kbit/s, burst " + burst + " kbit";
  }
}
