package org.paceline.runtime.providers.openflow.translation;

import java.util.List;
import java.util.stream.Collectors;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.DefaultPortStatistics;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.device.PortStatistics;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.types.PortSpeed;
import org.projectfloodlight.openflow.types.U64;

/** Describes a switch's ports and their counters to ONOS. */
public final class PortTranslation {
  private static final long KBPS_PER_MBPS = 1_000;
  // What a switch says that knows no speed, as of a virtual port.
  private static final long UNKNOWN_SPEED_MBPS = 1_000;

  private PortTranslation() {}

  public static List<PortDescription> describe(List<OFPortDesc> ports) {
    return ports.stream().map(PortTranslation::describe).collect(Collectors.toList());
  }

  public static PortDescription describe(OFPortDesc port) {
    boolean up =
        !port.getState().contains(OFPortState.LINK_DOWN)
            && !port.getConfig().contains(OFPortConfig.PORT_DOWN);
    return DefaultPortDescription.builder()
        .withPortNumber(number(port))
        .isEnabled(up)
        .type(port.getCurr().contains(OFPortFeatures.PF_FIBER) ? Port.Type.FIBER : Port.Type.COPPER)
        .portSpeed(speedMbps(port))
        .annotations(
            DefaultAnnotations.builder()
                .set(AnnotationKeys.PORT_NAME, port.getName())
                .set(AnnotationKeys.PORT_MAC, port.getHwAddr().toString())
                .build())
        .build();
  }

  private static PortNumber number(OFPortDesc port) {
    PortNumber number = Ids.port(port.getPortNo());
    return number.isLogical() ? number : PortNumber.portNumber(number.toLong(), port.getName());
  }

  /** The speed in numbers where there is one, else the one among the features. */
  static long speedMbps(OFPortDesc port) {
    if (port.getCurrSpeed() >= KBPS_PER_MBPS) {
      return port.getCurrSpeed() / KBPS_PER_MBPS;
    }
    PortSpeed speed = PortSpeed.SPEED_NONE;
    for (OFPortFeatures feature : port.getCurr()) {
      speed = PortSpeed.max(speed, feature.getPortSpeed());
    }
    return speed == PortSpeed.SPEED_NONE
        ? UNKNOWN_SPEED_MBPS
        : speed.getSpeedBps() / (KBPS_PER_MBPS * 1_000);
  }

  public static PortStatistics count(DeviceId device, OFPortStatsEntry entry) {
    return DefaultPortStatistics.builder()
        .setDeviceId(device)
        .setPort(Ids.port(entry.getPortNo()))
        .setPacketsReceived(known(entry.getRxPackets()))
        .setPacketsSent(known(entry.getTxPackets()))
        .setBytesReceived(known(entry.getRxBytes()))
        .setBytesSent(known(entry.getTxBytes()))
        .setPacketsRxDropped(known(entry.getRxDropped()))
        .setPacketsTxDropped(known(entry.getTxDropped()))
        .setPacketsRxErrors(known(entry.getRxErrors()))
        .setPacketsTxErrors(known(entry.getTxErrors()))
        .setDurationSec(entry.getDurationSec())
        .setDurationNano(entry.getDurationNsec())
        .build();
  }

  // All ones say "this counter is not kept".
  private static long known(U64 counter) {
    return counter.getValue() == -1 ? 0 : counter.getValue();
  }
}
