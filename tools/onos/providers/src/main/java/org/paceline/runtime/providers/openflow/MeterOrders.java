package org.paceline.runtime.providers.openflow;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterOperation;
import org.onosproject.net.meter.MeterOperations;
import org.onosproject.net.meter.MeterProvider;
import org.onosproject.net.meter.MeterProviderRegistry;
import org.onosproject.net.meter.MeterProviderService;
import org.onosproject.net.provider.AbstractProvider;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.paceline.runtime.providers.openflow.translation.Ids;
import org.paceline.runtime.providers.openflow.translation.MeterTranslation;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMeterModCommand;
import org.projectfloodlight.openflow.protocol.OFMeterModFailedCode;
import org.projectfloodlight.openflow.protocol.OFMeterStatsReply;
import org.projectfloodlight.openflow.protocol.errormsg.OFMeterModFailedErrorMsg;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes ONOS's meters to switches and reports their counters. */
final class MeterOrders extends AbstractProvider implements MeterProvider {
  private static final Logger LOG = LoggerFactory.getLogger(MeterOrders.class);

  private final Switches switches;
  private final SwitchPolls polls;
  private final ApplicationId reporter;
  private final MeterProviderService service;
  // By transaction, until the switch must have answered.
  private final Cache<Long, MeterOperation> sent =
      CacheBuilder.newBuilder().expireAfterWrite(10, TimeUnit.SECONDS).build();

  MeterOrders(
      ProviderId id,
      Switches switches,
      MeterProviderRegistry registry,
      SwitchPolls polls,
      ApplicationId reporter) {
    super(id);
    this.switches = switches;
    this.polls = polls;
    this.reporter = reporter;
    this.service = registry.register(this);
  }

  @Override
  public void performMeterOperation(DeviceId device, MeterOperations operations) {
    operations.operations().forEach(each -> performMeterOperation(device, each));
  }

  @Override
  public void performMeterOperation(DeviceId device, MeterOperation operation) {
    Optional<OpenFlowSwitch> of = switches.findMastered(device);
    if (!of.isPresent()) {
      service.meterOperationFailed(operation, MeterFailReason.UNKNOWN_DEVICE);
      return;
    }
    try {
      send(of.get(), operation, command(operation.type()));
    } catch (UnsupportedOperationException untranslatable) {
      LOG.warn("{} refused a meter: {}", device, untranslatable.getMessage());
      service.meterOperationFailed(operation, MeterFailReason.BAD_BAND);
    }
  }

  private void send(OpenFlowSwitch of, MeterOperation operation, OFMeterModCommand command) {
    OFFactory factory = of.factory();
    long xid = factory.nextXid();
    sent.put(xid, operation);
    of.sendMsg(
        List.of(
            MeterTranslation.write(factory, operation.meter(), command, xid),
            factory.buildBarrierRequest().setXid(xid).build()));
  }

  private static OFMeterModCommand command(MeterOperation.Type type) {
    switch (type) {
      case ADD:
        return OFMeterModCommand.ADD;
      case MODIFY:
        return OFMeterModCommand.MODIFY;
      case REMOVE:
        return OFMeterModCommand.DELETE;
    }
    throw new IllegalArgumentException("The meter operation " + type + " is not known.");
  }

  /** What the switch answers, called by {@link SwitchMessages}. */
  boolean barrier(DeviceId device, long xid) {
    MeterOperation operation = sent.getIfPresent(xid);
    if (operation == null) {
      return false;
    }
    // ONOS calls a meter added, or removed, when it sees it in the counters, or no longer.
    polls.metersSoon(device);
    return true;
  }

  boolean error(DeviceId device, OFErrorMsg error) {
    MeterOperation operation = sent.getIfPresent(error.getXid());
    if (operation == null) {
      return false;
    }
    sent.invalidate(error.getXid());
    OFMeterModFailedCode code =
        error instanceof OFMeterModFailedErrorMsg
            ? ((OFMeterModFailedErrorMsg) error).getCode()
            : OFMeterModFailedCode.UNKNOWN;
    if (code == OFMeterModFailedCode.METER_EXISTS && operation.type() == MeterOperation.Type.ADD) {
      // Left by an earlier life, or asked for twice: what counts is that it is as wanted.
      switches.findMastered(device).ifPresent(of -> send(of, operation, OFMeterModCommand.MODIFY));
      return true;
    }
    LOG.warn("{} refused {}: {}", device, operation, error);
    service.meterOperationFailed(operation, MeterTranslation.reason(code));
    return true;
  }

  void reported(DeviceId device, OFMeterStatsReply reply) {
    List<Meter> meters =
        reply.getEntries().stream()
            .map(stats -> MeterTranslation.counted(device, reporter, stats))
            .collect(Collectors.toList());
    service.pushMeterMetrics(device, meters);
  }

  void connected(OpenFlowSwitch of) {
    if (of.getMeterFeatures() != null) {
      DeviceId device = Ids.device(of.getDpid());
      service.pushMeterFeatures(device, MeterTranslation.features(device, of.getMeterFeatures()));
    }
  }

  void lost(DeviceId device) {
    service.deleteMeterFeatures(device);
  }
}
