package org.paceline.agent.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.application.Allowances;
import org.paceline.agent.naming.Glob;
import org.paceline.intents.tree.IntentPath;

/** Reads what applications may say themselves. */
final class AllowancesReader {
  private AllowancesReader() {}

  static Optional<Allowances> read(Path config, YamlMap map, Faults faults) {
    int before = faults.messages().size();
    Optional<Path> socket =
        map.require(ConfigKey.SOCKET, text -> config.resolveSibling(Path.of(text)));
    List<Allowances.Allowance> allowances = new ArrayList<>();
    for (YamlMap item : map.takeMaps(ConfigKey.ALLOW)) {
      Optional<Glob> user = item.require(ConfigKey.ALLOW_USER, Glob::parse);
      if (!item.has(ConfigKey.ALLOW_INTENTS.key())) {
        faults.add(item.place(), "The key (intents) is missing: what the user may claim.");
      }
      List<IntentPath> intents = new ArrayList<>();
      for (String word : item.takeWords(ConfigKey.ALLOW_INTENTS)) {
        faults.attempt(item.place(), word, RulesReader::intent).ifPresent(intents::add);
      }
      item.nothingElse(ConfigKey.names(ConfigKey.Part.ALLOWANCE));
      user.ifPresent(who -> allowances.add(new Allowances.Allowance(who, intents)));
    }
    map.nothingElse(ConfigKey.names(ConfigKey.Part.APPLICATIONS));
    return faults.messages().size() == before
        ? Optional.of(new Allowances(socket.orElseThrow(), allowances))
        : Optional.empty();
  }
}
