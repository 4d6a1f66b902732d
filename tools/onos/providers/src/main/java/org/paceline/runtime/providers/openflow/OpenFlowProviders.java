package org.paceline.runtime.providers.openflow;

import java.util.function.Consumer;
import org.onosproject.net.device.DeviceProviderRegistry;
import org.onosproject.net.device.DeviceProviderService;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;

/** Builds the providers around one OpenFlow controller. */
public final class OpenFlowProviders {
  private static final ProviderId ID =
      new ProviderId(Switches.SCHEME, "org.paceline.runtime.openflow");

  private OpenFlowProviders() {}

  /** Registers the providers; hands out what undoes it, in the order in which it was done. */
  public static void open(
      OpenFlowController controller, DeviceProviderRegistry devices, Consumer<Runnable> closers) {
    Switches switches = new Switches(controller);
    DeviceOrders orders = new DeviceOrders(ID, switches);
    DeviceProviderService service = devices.register(orders);
    closers.accept(() -> devices.unregister(orders));
    SwitchDevices reports = new SwitchDevices(switches, service);
    controller.addListener(reports);
    closers.accept(() -> controller.removeListener(reports));
    for (OpenFlowSwitch of : switches.all()) {
      reports.connected(of);
    }
  }
}
