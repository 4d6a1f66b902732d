package org.paceline.control.settings;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.paceline.control.port.SettingStore;

/** A store of settings as ONOS has one. */
public final class RememberedSettings implements SettingStore {
  private final Map<String, String> values = new ConcurrentSkipListMap<>();

  @Override
  public Optional<String> find(String name) {
    return Optional.ofNullable(values.get(name));
  }

  @Override
  public void put(String name, String value) {
    values.put(name, value);
  }

  @Override
  public void remove(String name) {
    values.remove(name);
  }
}
