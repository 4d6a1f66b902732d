package org.paceline.flowrecords;

import java.util.Map;
import java.util.Optional;

/** What has to be remembered of one exporter: its templates are its own. */
final class Exporter {
  /** Open vSwitch alone defines more than 64, one for each mix of layers. */
  private static final int MOST_TEMPLATES = 256;

  private final Map<Integer, Template> templates = new RecentMap<>(MOST_TEMPLATES);

  final Sampling sampling = new Sampling();
  final Sequence sequence = new Sequence();

  Optional<Template> template(int id) {
    return Optional.ofNullable(templates.get(id));
  }

  void define(int id, Template template) {
    templates.put(id, template);
  }

  void withdraw(int id) {
    templates.remove(id);
  }

  void withdrawAll(boolean options) {
    templates.values().removeIf(template -> template.isOptions() == options);
  }
}
