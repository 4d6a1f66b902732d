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
  private static final String KEYS = "socket, allow";
  private static final String ALLOWANCE_KEYS = "user, intents";

  private AllowancesReader() {}

  static Optional<Allowances> read(Path config, YamlMap map, Faults faults) {
    int before = faults.messages().size();
    Optional<Path> socket = map.require("socket", text -> config.resolveSibling(Path.of(text)));
    List<Allowances.Allowance> allowances = new ArrayList<>();
    for (YamlMap item : map.takeMaps("allow")) {
      Optional<Glob> user = item.require("user", Glob::parse);
      if (!item.has("intents")) {
        faults.add(item.place(), "The key (intents) is missing: what the user may claim.");
      }
      List<IntentPath> intents = new ArrayList<>();
      for (String word : item.takeWords("intents")) {
        faults.attempt(item.place(), word, RulesReader::intent).ifPresent(intents::add);
      }
      item.nothingElse(ALLOWANCE_KEYS);
      user.ifPresent(who -> allowances.add(new Allowances.Allowance(who, intents)));
    }
    map.nothingElse(KEYS);
    return faults.messages().size() == before
        ? Optional.of(new Allowances(socket.orElseThrow(), allowances))
        : Optional.empty();
  }
}
