package org.paceline.onos.openflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowMessageListener;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.paceline.onos.meter.MeterConfigs;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFMeterConfig;
import org.projectfloodlight.openflow.protocol.OFMeterConfigStatsReply;
import org.projectfloodlight.openflow.protocol.OFMeterFlags;
import org.projectfloodlight.openflow.protocol.OFStatsReply;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFTableFeatures;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsReply;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBand;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBandDrop;

/** What a connected switch answers, however many messages it takes. */
final class OpenFlowAnswers {
  private static final int PATIENCE_MILLIS = 900;
  private static final long ALL_METERS = 0xffff_ffffL;

  private final OpenFlowController controller;
  private final OpenFlowSwitch connected;

  private OpenFlowAnswers(OpenFlowController controller, OpenFlowSwitch connected) {
    this.controller = controller;
    this.connected = connected;
  }

  /** Empty where the switch is not connected here, or too old to have meters and table features. */
  static Optional<OpenFlowAnswers> of(OpenFlowController controller, DeviceId device) {
    return Optional.ofNullable(controller.getSwitch(Dpid.dpid(device.uri())))
        .filter(OpenFlowSwitch::isConnected)
        .filter(of -> of.factory().getVersion().getWireVersion() >= 4)
        .map(of -> new OpenFlowAnswers(controller, of));
  }

  /** Another one each time that the switch connects. */
  Object connection() {
    return connected;
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
    Answer answer = new Answer(connected.getDpid(), question.getXid());
    // Before it is asked: ONOS's own way to wait for an answer can miss one that comes at once.
    controller.addMessageListener(answer);
    connected.sendMsg(question);
    answer.whole.orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    return answer.whole.whenComplete((replies, silent) -> controller.removeMessageListener(answer));
  }

  private static final class Answer implements OpenFlowMessageListener {
    final CompletableFuture<List<OFStatsReply>> whole = new CompletableFuture<>();
    private final List<OFStatsReply> parts = new ArrayList<>();
    private final Dpid from;
    private final long xid;

    Answer(Dpid from, long xid) {
      this.from = from;
      this.xid = xid;
    }

    @Override
    public void handleIncomingMessage(Dpid sender, OFMessage message) {
      if (message.getXid() != xid || !sender.equals(from)) {
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
    }

    @Override
    public void handleOutgoingMessage(Dpid receiver, List<OFMessage> messages) {}
  }
}
