package org.paceline.onos.openflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.paceline.control.telemetry.LinkCount;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.onos.meter.MeterConfigs;
import org.paceline.onos.telemetry.PortCount;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFMeterBandStats;
import org.projectfloodlight.openflow.protocol.OFMeterConfig;
import org.projectfloodlight.openflow.protocol.OFMeterConfigStatsReply;
import org.projectfloodlight.openflow.protocol.OFMeterFlags;
import org.projectfloodlight.openflow.protocol.OFMeterModCommand;
import org.projectfloodlight.openflow.protocol.OFMeterStats;
import org.projectfloodlight.openflow.protocol.OFMeterStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.OFQueueStatsEntry;
import org.projectfloodlight.openflow.protocol.OFQueueStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFTableFeatures;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsReply;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBand;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBandDrop;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** What a connected switch answers, however many messages it takes, and what it is told. */
final class OpenFlowAnswers {
  private static final long ALL_METERS = 0xffff_ffffL;
  private static final long ALL_QUEUES = 0xffff_ffffL;

  private final Replies replies;
  private final OpenFlowSwitch connected;

  private OpenFlowAnswers(Replies replies, OpenFlowSwitch connected) {
    this.replies = replies;
    this.connected = connected;
  }

  /** Empty where the switch is not connected here, or too old to have meters and table features. */
  static Optional<OpenFlowAnswers> of(Replies replies, DeviceId device) {
    return Optional.ofNullable(replies.controller().getSwitch(Dpid.dpid(device.uri())))
        .filter(OpenFlowSwitch::isConnected)
        .filter(of -> of.factory().getVersion().getWireVersion() >= 4)
        .map(of -> new OpenFlowAnswers(replies, of));
  }

  /** Another one each time that the switch connects. */
  Object connection() {
    return connected;
  }

  /** Said when it connected. */
  Optional<Integer> tables() {
    return Optional.ofNullable(connected.features()).map(said -> (int) said.getNTables());
  }

  CompletableFuture<Map<Long, MeterConfigs.Config>> meters() {
    return asked(connected.factory().buildMeterConfigStatsRequest().setMeterId(ALL_METERS).build())
        .thenApply(OpenFlowAnswers::meters);
  }

  private static Map<Long, MeterConfigs.Config> meters(List<OFStatsReply> replies) {
    Map<Long, MeterConfigs.Config> meters = new HashMap<>();
    for (OFStatsReply reply : replies) {
      ((OFMeterConfigStatsReply) reply)
          .getEntries()
          .forEach(meter -> meters.put(meter.getMeterId(), config(meter)));
    }
    return meters;
  }

  private static MeterConfigs.Config config(OFMeterConfig meter) {
    List<OFMeterBand> bands = meter.getEntries();
    if (bands.size() == 1
        && bands.get(0) instanceof OFMeterBandDrop
        && meter.getFlags().contains(OFMeterFlags.KBPS)) {
      OFMeterBandDrop drop = (OFMeterBandDrop) bands.get(0);
      return MeterConfigs.Config.drop(drop.getRate(), drop.getBurstSize());
    }
    return MeterConfigs.Config.other("flags " + meter.getFlags() + ", bands " + bands);
  }

  /** Whether the switch has changed it; it obeys only its master. */
  CompletableFuture<Boolean> change(long meter, MeterConfigs.Config to) {
    OFFactory factory = connected.factory();
    if (connected.getRole() != RoleState.MASTER
        || factory.getVersion().getWireVersion() > OFVersion.OF_14.getWireVersion()) {
      return CompletableFuture.completedFuture(false);
    }
    OFMeterBand drop =
        factory.meterBands().buildDrop().setRate(to.kbps()).setBurstSize(to.burst()).build();
    OFMessage order =
        factory
            .buildMeterMod()
            .setCommand(OFMeterModCommand.MODIFY)
            .setMeterId(meter)
            .setFlags(Set.of(OFMeterFlags.KBPS, OFMeterFlags.BURST, OFMeterFlags.STATS))
            .setMeters(List.of(drop))
            .build();
    return obeyed(order, factory.buildBarrierRequest().build());
  }

  /** An order has no answer but a refusal; the barrier's comes after that. */
  private CompletableFuture<Boolean> obeyed(OFMessage order, OFMessage barrier) {
    CompletableFuture<Boolean> obeyed = new CompletableFuture<>();
    return replies.to(
        connected,
        List.of(order, barrier),
        obeyed,
        message -> {
          if (message.getXid() == order.getXid()) {
            obeyed.complete(false);
          } else if (message.getXid() == barrier.getXid()) {
            obeyed.complete(true);
          }
        });
  }

  /** Of all meters, by their numbers: one question. */
  CompletableFuture<Map<Long, MeterCount>> meterCounts() {
    return asked(connected.factory().buildMeterStatsRequest().setMeterId(ALL_METERS).build())
        .thenApply(OpenFlowAnswers::meterCounts);
  }

  private static Map<Long, MeterCount> meterCounts(List<OFStatsReply> replies) {
    Map<Long, MeterCount> counts = new HashMap<>();
    for (OFStatsReply reply : replies) {
      for (OFMeterStats meter : ((OFMeterStatsReply) reply).getEntries()) {
        long droppedBytes = 0;
        long droppedPackets = 0;
        for (OFMeterBandStats band : meter.getBandStats()) {
          droppedBytes += count(band.getByteBandCount());
          droppedPackets += count(band.getPacketBandCount());
        }
        counts.put(
            meter.getMeterId(),
            MeterCount.of(
                count(meter.getByteInCount()),
                count(meter.getPacketInCount()),
                droppedBytes,
                droppedPackets));
      }
    }
    return counts;
  }

  /** Of all ports, by their numbers. */
  CompletableFuture<Map<Long, PortCount>> ports() {
    return asked(connected.factory().buildPortStatsRequest().setPortNo(OFPort.ANY).build())
        .thenApply(OpenFlowAnswers::ports);
  }

  /** Of all queues, by the numbers of their ports. */
  CompletableFuture<Map<Long, Long>> droppedByQueues() {
    return asked(
            connected
                .factory()
                .buildQueueStatsRequest()
                .setPortNo(OFPort.ANY)
                .setQueueId(ALL_QUEUES)
                .build())
        .thenApply(OpenFlowAnswers::droppedByQueues);
  }

  private static Map<Long, Long> droppedByQueues(List<OFStatsReply> replies) {
    Map<Long, Long> dropped = new HashMap<>();
    for (OFStatsReply reply : replies) {
      for (OFQueueStatsEntry queue : ((OFQueueStatsReply) reply).getEntries()) {
        dropped.merge(number(queue.getPortNo()), count(queue.getTxErrors()), Long::sum);
      }
    }
    return dropped;
  }

  private static Map<Long, PortCount> ports(List<OFStatsReply> replies) {
    Map<Long, PortCount> ports = new HashMap<>();
    for (OFStatsReply reply : replies) {
      for (OFPortStatsEntry port : ((OFPortStatsReply) reply).getEntries()) {
        Duration running = Duration.ofSeconds(port.getDurationSec(), port.getDurationNsec());
        LinkCount sent =
            LinkCount.of(
                count(port.getTxBytes()),
                count(port.getTxPackets()),
                count(port.getTxDropped()),
                running);
        LinkCount received =
            LinkCount.of(
                count(port.getRxBytes()),
                count(port.getRxPackets()),
                count(port.getRxDropped()),
                running);
        ports.put(number(port.getPortNo()), PortCount.of(sent, received));
      }
    }
    return ports;
  }

  private static long number(OFPort port) {
    return Integer.toUnsignedLong(port.getPortNumber());
  }

  /** All bits set is how a switch says that it does not count this (OpenFlow 1.3.5, A.3.5.6). */
  private static long count(U64 counter) {
    return Math.max(0, counter.getValue());
  }

  /** Empty where the switch does not say. */
  CompletableFuture<Optional<Long>> tableSize() {
    return asked(connected.factory().buildTableFeaturesStatsRequest().build())
        .thenApply(
            replies ->
                replies.stream()
                    .flatMap(reply -> ((OFTableFeaturesStatsReply) reply).getEntries().stream())
                    .filter(table -> table.getTableId().getValue() == 0)
                    .map(OFTableFeatures::getMaxEntries)
                    .findFirst())
        .exceptionally(silent -> Optional.empty());
  }

  private CompletableFuture<List<OFStatsReply>> asked(OFMessage question) {
    CompletableFuture<List<OFStatsReply>> whole = new CompletableFuture<>();
    List<OFStatsReply> parts = new ArrayList<>();
    return replies.to(
        connected,
        List.of(question),
        whole,
        message -> {
          if (message.getXid() != question.getXid()) {
            return;
          }
          if (!(message instanceof OFStatsReply)) {
            whole.completeExceptionally(new IllegalStateException("It refuses to say: " + message));
            return;
          }
          parts.add((OFStatsReply) message);
          if (!((OFStatsReply) message).getFlags().contains(OFStatsReplyFlags.REPLY_MORE)) {
            whole.complete(List.copyOf(parts));
          }
        });
  }
}
