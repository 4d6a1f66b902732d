package org.paceline.onos.topology;

import org.onosproject.net.LinkKey;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.basics.SubjectFactories;

/** Makes ONOS accept {@link LinkSettings} in network configuration. */
public final class LinkSettingsFactory extends ConfigFactory<LinkKey, LinkSettings> {
  public LinkSettingsFactory() {
    super(SubjectFactories.LINK_SUBJECT_FACTORY, LinkSettings.class, LinkSettings.KEY);
  }

  @Override
  public LinkSettings createConfig() {
    return new LinkSettings();
  }
}
