package org.paceline.onos;

import java.util.Optional;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ComponentConfigStore;
import org.paceline.control.port.SettingStore;

/**
 * The settings as ONOS stores them. Its service shows a default where a stored number is none, and
 * what changed only some moments later: so they are read from its store.
 */
final class StoredSettings implements SettingStore {
  static final String COMPONENT = PacelineComponent.class.getName();

  private final ComponentConfigStore store;
  private final ComponentConfigService service;

  StoredSettings(ComponentConfigStore store, ComponentConfigService service) {
    this.store = store;
    this.service = service;
  }

  @Override
  public Optional<String> find(String name) {
    return Optional.ofNullable(store.getProperty(COMPONENT, name));
  }

  @Override
  public void put(String name, String value) {
    service.setProperty(COMPONENT, name, value);
  }

  @Override
  public void remove(String name) {
    service.unsetProperty(COMPONENT, name);
  }
}
