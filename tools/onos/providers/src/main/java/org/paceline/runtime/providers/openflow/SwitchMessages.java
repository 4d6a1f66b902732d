package org.paceline.runtime.providers.openflow;

import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowEventListener;
import org.paceline.runtime.providers.openflow.translation.Ids;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFMeterStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands each message of a switch to whom it concerns. */
final class SwitchMessages implements OpenFlowEventListener {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchMessages.class);

  private final SwitchDevices devices;
  private final FlowOrders flows;
  private final MeterOrders meters;

  SwitchMessages(SwitchDevices devices, FlowOrders flows, MeterOrders meters) {
    this.devices = devices;
    this.flows = flows;
    this.meters = meters;
  }

  @Override
  public void handleMessage(Dpid switchId, OFMessage message) {
    DeviceId device = Ids.device(switchId);
    switch (message.getType()) {
      case BARRIER_REPLY:
        if (!flows.barrier(device, message.getXid())) {
          meters.barrier(device, message.getXid());
        }
        break;
      case FLOW_REMOVED:
        flows.removed(device, (OFFlowRemoved) message);
        break;
      case ERROR:
        OFErrorMsg error = (OFErrorMsg) message;
        if (!flows.error(device, error) && !meters.error(device, error)) {
          LOG.warn("{} reports an error: {}", device, error);
        }
        break;
      case STATS_REPLY:
        if (message instanceof OFFlowStatsReply) {
          flows.reported(device, (OFFlowStatsReply) message);
        } else if (message instanceof OFMeterStatsReply) {
          meters.reported(device, (OFMeterStatsReply) message);
        } else if (message instanceof OFPortStatsReply) {
          devices.countersReceived(device, (OFPortStatsReply) message);
        }
        break;
      default:
        // Of no concern to these providers.
        break;
    }
  }
}
