package org.paceline.control.port;

import java.util.Optional;

/** Where settings are stored under their names, whoever set them. */
public interface SettingStore {
  /** Empty where nothing is stored. */
  Optional<String> find(String name);

  void put(String name, String value);

  void remove(String name);
}
