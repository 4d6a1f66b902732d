package org.paceline.runtime.providers.discovery;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.onlab.packet.ChassisId;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** The frame that a switch port sends to whom it is connected to, signed so that no host can. */
final class LldpProbe {
  // Locally administered, so no host has it.
  private static final MacAddress SENDER = MacAddress.valueOf("02:70:61:63:65:01");
  // A switch may hold a frame up; one that old says nothing of the link as it is.
  private static final long OLDEST_MILLIS = 5_000;

  private final String secret;

  LldpProbe(String secret) {
    this.secret = secret;
  }

  ByteBuffer frame(ConnectPoint from, ChassisId chassis) {
    ONOSLLDP body =
        ONOSLLDP.onosSecureLLDP(
            from.deviceId().toString(), chassis, (int) from.port().toLong(), secret);
    if (body == null) {
      throw new IllegalStateException(
          "The probe of " + from + " could not be signed. Maybe this Java lacks HmacSHA256.");
    }
    Ethernet frame = new Ethernet();
    frame.setEtherType(Ethernet.TYPE_LLDP);
    frame.setDestinationMACAddress(MacAddress.ONOS_LLDP);
    frame.setSourceMACAddress(SENDER);
    frame.setPad(true);
    frame.setPayload(body);
    return ByteBuffer.wrap(frame.serialize());
  }

  /** Where a probe of ours was sent from; nothing for anything else, a forged one included. */
  Optional<ConnectPoint> sender(Ethernet frame) {
    ONOSLLDP body;
    try {
      body = ONOSLLDP.parseONOSLLDP(frame);
      if (body == null || !ONOSLLDP.verify(body, secret, OLDEST_MILLIS)) {
        return Optional.empty();
      }
      return Optional.of(
          new ConnectPoint(
              DeviceId.deviceId(body.getDeviceString()), PortNumber.portNumber(body.getPort())));
    } catch (RuntimeException malformed) {
      // Another LLDP speaker's frame: its fields are not where ours are.
      return Optional.empty();
    }
  }
}
