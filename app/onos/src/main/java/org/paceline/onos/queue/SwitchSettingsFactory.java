package org.paceline.onos.queue;

import org.onosproject.net.DeviceId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.basics.SubjectFactories;

/** Makes ONOS accept {@link SwitchSettings} in network configuration. */
public final class SwitchSettingsFactory extends ConfigFactory<DeviceId, SwitchSettings> {
  public SwitchSettingsFactory() {
    super(SubjectFactories.DEVICE_SUBJECT_FACTORY, SwitchSettings.class, SwitchSettings.KEY);
  }

  @Override
  public SwitchSettings createConfig() {
    return new SwitchSettings();
  }
}
