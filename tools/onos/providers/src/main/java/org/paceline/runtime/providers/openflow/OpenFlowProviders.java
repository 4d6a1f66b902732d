package org.paceline.runtime.providers.openflow;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onlab.util.Tools;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.device.DeviceProviderRegistry;
import org.onosproject.net.flow.FlowRuleProviderRegistry;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.meter.MeterProviderRegistry;
import org.onosproject.net.packet.PacketProviderRegistry;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the providers around one OpenFlow controller. */
public final class OpenFlowProviders {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFlowProviders.class);
  private static final ProviderId ID =
      new ProviderId(Switches.SCHEME, "org.paceline.runtime.openflow");
  private static final int PACKET_PRIORITY = 20;

  private OpenFlowProviders() {}

  /** Registers the providers; hands out what undoes it, in the order in which it was done. */
  public static void open(
      OpenFlowController controller,
      ApplicationId application,
      DeviceProviderRegistry deviceRegistry,
      FlowRuleProviderRegistry flowRegistry,
      FlowRuleService flowRules,
      MeterProviderRegistry meterRegistry,
      PacketProviderRegistry packetRegistry,
      Consumer<Runnable> closers) {
    Switches switches = new Switches(controller);
    SwitchPolls polls = new SwitchPolls(switches);
    closers.accept(polls::stop);

    FlowOrders flows = new FlowOrders(ID, switches, flowRules, flowRegistry, polls);
    closers.accept(() -> flowRegistry.unregister(flows));
    MeterOrders meters = new MeterOrders(ID, switches, meterRegistry, polls, application);
    closers.accept(() -> meterRegistry.unregister(meters));
    PacketOrders packets = new PacketOrders(ID, switches, packetRegistry);
    closers.accept(() -> packetRegistry.unregister(packets));
    controller.addPacketListener(PACKET_PRIORITY, packets);
    closers.accept(() -> controller.removePacketListener(packets));

    // Not that of the questions: it takes as long as ONOS takes to find a switch's master.
    ScheduledExecutorService pauses =
        Executors.newSingleThreadScheduledExecutor(
            Tools.groupedThreads("paceline/openflow", "connections", LOG));
    closers.accept(pauses::shutdownNow);
    Connections connections =
        new Connections(
            switches, (millis, task) -> pauses.schedule(task, millis, TimeUnit.MILLISECONDS));
    DeviceOrders orders = new DeviceOrders(ID, switches, connections);
    SwitchDevices devices =
        new SwitchDevices(
            switches, connections, deviceRegistry.register(orders), flows, meters, polls);
    closers.accept(() -> deviceRegistry.unregister(orders));
    SwitchMessages messages = new SwitchMessages(devices, flows, meters);
    controller.addEventListener(messages);
    closers.accept(() -> controller.removeEventListener(messages));
    controller.addListener(devices);
    closers.accept(() -> controller.removeListener(devices));
    for (OpenFlowSwitch of : switches.all()) {
      devices.switchAdded(new Dpid(of.getId()));
    }
    polls.every(1, flows::failOverdue);
    polls.start();
  }
}
