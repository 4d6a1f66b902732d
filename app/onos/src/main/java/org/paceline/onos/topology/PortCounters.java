package org.paceline.onos.topology;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.paceline.control.port.LinkLoads;
import org.paceline.control.port.NetworkView;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * Links' loads from the port counters that ONOS polls. A link counts what its first switch sends;
 * one that begins at a host counts what its switch receives.
 */
public final class PortCounters implements LinkLoads {
  private static final int BITS = 8;

  private final DeviceService devices;
  private final NetworkView network;

  public PortCounters(DeviceService devices, NetworkView network) {
    this.devices = devices;
    this.network = network;
  }

  @Override
  public Map<LinkId, DataRate> measured() {
    Map<LinkId, DataRate> loads = new HashMap<>();
    network
        .current()
        .ports()
        .forEach(
            (link, ports) ->
                ports
                    .from()
                    .flatMap(port -> since(link.from(), port))
                    .flatMap(count -> rate(count, count.bytesSent()))
                    .or(
                        () ->
                            ports
                                .to()
                                .filter(port -> ports.from().isEmpty())
                                .flatMap(port -> since(link.to(), port))
                                .flatMap(count -> rate(count, count.bytesReceived())))
                    .ifPresent(rate -> loads.put(link, rate)));
    return loads;
  }

  private Optional<PortStatistics> since(String device, long port) {
    return Optional.ofNullable(
        devices.getDeltaStatisticsForPort(DeviceId.deviceId(device), PortNumber.portNumber(port)));
  }

  /** Empty for counters that did not run, or were set back. */
  private static Optional<DataRate> rate(PortStatistics count, long bytes) {
    BigDecimal seconds =
        BigDecimal.valueOf(count.durationSec()).add(BigDecimal.valueOf(count.durationNano(), 9));
    if (seconds.signum() <= 0 || bytes < 0) {
      return Optional.empty();
    }
    BigDecimal kilobits = BigDecimal.valueOf(bytes).multiply(BigDecimal.valueOf(BITS, 3));
    return Optional.of(
        DataRate.ofKilobitsPerSecond(kilobits.divide(seconds, 3, RoundingMode.HALF_UP)));
  }
}
