package org.paceline.onos;

import com.google.auto.value.AutoValue;
import org.onosproject.app.ApplicationService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostAdminService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.meter.MeterService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.paceline.control.port.SettingStore;
import org.paceline.onos.flow.OwnRules;

/** What ONOS does for Paceline. */
@AutoValue
abstract class OnosServices {
  /** Paceline's name here. */
  abstract ApplicationId app();

  /** This controller's name. */
  abstract String node();

  abstract BundleContext bundle();

  abstract CoreService core();

  abstract ApplicationService applications();

  abstract NetworkConfigRegistry networkConfig();

  abstract DeviceService devices();

  abstract MastershipService masters();

  abstract LinkService links();

  abstract HostAdminService hosts();

  abstract FlowRuleService rules();

  abstract MeterService meters();

  abstract PacketService packets();

  abstract StorageService storage();

  abstract SettingStore settings();

  OwnRules ownRules() {
    return OwnRules.of(
        rules(),
        app(),
        new OwnRules.Presence() {
          @Override
          public boolean isThere(DeviceId device) {
            return devices().isAvailable(device);
          }

          @Override
          public boolean hasMaster(DeviceId device) {
            return masters().getMasterFor(device) != null;
          }
        });
  }

  static Builder builder() {
    return new AutoValue_OnosServices.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder app(ApplicationId app);

    abstract Builder node(String node);

    abstract Builder bundle(BundleContext bundle);

    abstract Builder core(CoreService core);

    abstract Builder applications(ApplicationService applications);

    abstract Builder networkConfig(NetworkConfigRegistry networkConfig);

    abstract Builder devices(DeviceService devices);

    abstract Builder masters(MastershipService masters);

    abstract Builder links(LinkService links);

    abstract Builder hosts(HostAdminService hosts);

    abstract Builder rules(FlowRuleService rules);

    abstract Builder meters(MeterService meters);

    abstract Builder packets(PacketService packets);

    abstract Builder storage(StorageService storage);

    abstract Builder settings(SettingStore settings);

    abstract OnosServices build();
  }
}
