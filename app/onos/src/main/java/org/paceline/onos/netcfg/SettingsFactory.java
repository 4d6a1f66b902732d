package org.paceline.onos.netcfg;

import java.util.function.Supplier;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.SubjectFactory;

/** Makes ONOS accept {@link Settings} in network configuration. */
public final class SettingsFactory<S, C extends Settings<S>> extends ConfigFactory<S, C> {
  private final Supplier<C> empty;

  public SettingsFactory(SubjectFactory<S> subjects, Class<C> type, Supplier<C> empty) {
    super(subjects, type, Settings.KEY);
    this.empty = empty;
  }

  @Override
  public C createConfig() {
    return empty.get();
  }
}
