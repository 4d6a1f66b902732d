package org.paceline.runtime.providers.openflow;

import java.nio.ByteBuffer;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketProvider;
import org.onosproject.net.packet.PacketProviderRegistry;
import org.onosproject.net.packet.PacketProviderService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.OpenFlowPacketContext;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.PacketListener;
import org.paceline.runtime.providers.openflow.translation.Ids;
import org.paceline.runtime.providers.openflow.translation.TreatmentToInstructions;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFPort;

/** Packets from switches to ONOS's processors and from there to switches. */
final class PacketOrders extends AbstractProvider implements PacketProvider, PacketListener {
  private final Switches switches;
  private final PacketProviderService service;

  PacketOrders(ProviderId id, Switches switches, PacketProviderRegistry registry) {
    super(id);
    this.switches = switches;
    this.service = registry.register(this);
  }

  @Override
  public void emit(OutboundPacket packet) {
    switches.findMastered(packet.sendThrough()).ifPresent(of -> of.sendMsg(message(of, packet)));
  }

  static OFPacketOut message(OpenFlowSwitch of, OutboundPacket packet) {
    // The real port: FLOOD and the switch's own rules spare, and match, where it came from.
    OFPort from = packet.inPort() == null ? OFPort.CONTROLLER : Ids.port(packet.inPort());
    return of.factory()
        .buildPacketOut()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(from)
        .setActions(
            TreatmentToInstructions.actions(of.factory(), packet.treatment().allInstructions()))
        .setData(bytes(packet.data()))
        .build();
  }

  private static byte[] bytes(ByteBuffer data) {
    ByteBuffer view = data.duplicate();
    view.rewind();
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }

  @Override
  public void handlePacket(OpenFlowPacketContext received) {
    DeviceId device = Ids.device(received.dpid());
    PortNumber port = Ids.port(OFPort.of(received.inPort()));
    InboundPacket inbound =
        new DefaultInboundPacket(
            new ConnectPoint(device, port),
            received.parsed(),
            ByteBuffer.wrap(received.unparsed()),
            received.cookie());
    OutboundPacket outbound =
        new DefaultOutboundPacket(device, null, ByteBuffer.wrap(received.unparsed()), port);
    service.processPacket(new Context(inbound, outbound, received.isHandled()));
  }

  /** Sends what the processors made of the packet, once. */
  private final class Context extends DefaultPacketContext {
    Context(InboundPacket inbound, OutboundPacket outbound, boolean handled) {
      super(System.currentTimeMillis(), inbound, outbound, handled);
    }

    @Override
    public void send() {
      if (block()) {
        return; // Somebody was first.
      }
      TrafficTreatment treatment = treatmentBuilder().build();
      emit(
          new DefaultOutboundPacket(
              outPacket().sendThrough(), treatment, outPacket().data(), outPacket().inPort()));
    }
  }
}
