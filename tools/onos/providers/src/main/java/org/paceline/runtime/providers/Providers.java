package org.paceline.runtime.providers;

import org.onosproject.net.device.DeviceProviderRegistry;
import org.onosproject.openflow.controller.OpenFlowController;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.paceline.runtime.providers.openflow.OpenFlowProviders;

/** The one place that knows OSGi: takes ONOS's services and opens the providers with them. */
@Component(immediate = true, service = Providers.class)
public final class Providers {
  private final Closers closers = new Closers();

  @Activate
  public Providers(
      @Reference OpenFlowController controller, @Reference DeviceProviderRegistry devices) {
    OpenFlowProviders.open(controller, devices, closers::add);
  }

  @Deactivate
  void close() {
    closers.closeAll();
  }
}
