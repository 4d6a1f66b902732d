package org.paceline.onos.telemetry;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import org.onosproject.net.device.PortStatistics;
import org.paceline.control.telemetry.LinkCount;

/** What a switch counts at one of its ports, from either side. */
@AutoValue
public abstract class PortCount {
  /** What leaves by it. */
  public abstract LinkCount sent();

  /** What comes in by it. */
  public abstract LinkCount received();

  public static PortCount of(LinkCount sent, LinkCount received) {
    return new AutoValue_PortCount(sent, received);
  }

  /** With what the port's queues dropped of what was to leave by it. */
  PortCount droppedByQueues(long packets) {
    LinkCount port = sent();
    return of(
        LinkCount.of(port.bytes(), port.packets(), port.droppedPackets() + packets, port.running()),
        received());
  }

  /** As ONOS last polled it. */
  static PortCount of(PortStatistics polled) {
    Duration running = Duration.ofSeconds(polled.durationSec(), polled.durationNano());
    return of(
        LinkCount.of(polled.bytesSent(), polled.packetsSent(), polled.packetsTxDropped(), running),
        LinkCount.of(
            polled.bytesReceived(), polled.packetsReceived(), polled.packetsRxDropped(), running));
  }
}
