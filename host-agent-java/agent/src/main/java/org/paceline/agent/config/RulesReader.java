package org.paceline.agent.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.Conditions;
import org.paceline.agent.naming.Glob;
import org.paceline.agent.naming.PortRanges;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.Trait;
import org.paceline.intents.tree.IntentPath;

/** Reads the ordered rules by which sockets are named, from YAML. */
public final class RulesReader {
  private static final String MATCH_KEYS =
      ConfigKey.names(ConfigKey.Part.MATCH) + ", " + Trait.keys();

  private RulesReader() {}

  /**
   * @throws FaultyFile with every fault
   */
  public static RuleSet read(Path file) {
    Faults faults = new Faults(file.toString());
    FileRights.check(file, faults);
    YamlMap top = YamlMap.read(file, faults);
    boolean manage = top.takeOrDefault(ConfigKey.UNMATCHED, RulesReader::manageUnmatched);
    AddressSets addresses = AddressSets.read(top.takeMap(ConfigKey.ADDRESSES), faults);
    if (!top.has(ConfigKey.RULE_LIST.key())) {
      faults.add("The key (rules) is missing: a list of rules, the first that matches decides.");
    }
    List<Rule> rules = new ArrayList<>();
    for (YamlMap item : top.takeMaps(ConfigKey.RULE_LIST)) {
      rule(item, addresses, faults).ifPresent(rules::add);
    }
    top.nothingElse(ConfigKey.names(ConfigKey.Part.RULES));
    faults.throwIfAny();
    return new RuleSet(rules, manage);
  }

  private static Optional<Rule> rule(YamlMap item, AddressSets addresses, Faults faults) {
    int before = faults.messages().size();
    boolean hasIntent = item.has(ConfigKey.INTENT.key());
    Optional<IntentPath> intent = item.take(ConfigKey.INTENT, RulesReader::intent);
    boolean ignore = item.takeOrDefault(ConfigKey.IGNORE, RulesReader::yesOrNo);
    if (hasIntent == ignore) {
      faults.add(item.place(), "A rule gives an intent or says (ignore: true), one of the two.");
    }
    Rule.Grouping grouping = item.takeOrDefault(ConfigKey.GROUP, RulesReader::grouping);
    Direction direction = item.takeOrDefault(ConfigKey.DIRECTION, RulesReader::direction);
    Conditions conditions =
        item.takeMap(ConfigKey.MATCH)
            .map(match -> conditions(match, addresses))
            .orElse(Conditions.NONE);
    item.nothingElse(ConfigKey.names(ConfigKey.Part.RULE));
    return faults.messages().size() == before
        ? Optional.of(new Rule(faults.place(item.place()), intent, conditions, grouping, direction))
        : Optional.empty();
  }

  private static Conditions conditions(YamlMap match, AddressSets addresses) {
    Map<Trait, Glob> traits = new EnumMap<>(Trait.class);
    for (Trait trait : Trait.values()) {
      match.take(trait.key(), trait::parse).ifPresent(glob -> traits.put(trait, glob));
    }
    Conditions conditions =
        new Conditions(
            match.take(ConfigKey.PROTOCOL, RulesReader::transport),
            match.take(ConfigKey.LOCAL_PORT, PortRanges::parse),
            match.take(ConfigKey.REMOTE_PORT, PortRanges::parse),
            addresses.take(match, ConfigKey.LOCAL_ADDRESS),
            addresses.take(match, ConfigKey.REMOTE_ADDRESS),
            traits);
    match.nothingElse(MATCH_KEYS);
    return conditions;
  }

  static IntentPath intent(String text) {
    IntentPath path = IntentPath.parse(text);
    if (path.isRoot()) {
      throw new IllegalArgumentException(
          "The intent is empty. Maybe you meant class/intent, or (ignore: true).");
    }
    return path;
  }

  private static Transport transport(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "tcp" -> Transport.TCP;
      case "udp" -> Transport.UDP;
      default ->
          throw new IllegalArgumentException(
              "The protocol (" + text + ") is unknown. Maybe you meant tcp or udp.");
    };
  }

  private static Rule.Grouping grouping(String text) {
    return switch (text) {
      case "address" -> Rule.Grouping.ADDRESS;
      case "socket" -> Rule.Grouping.SOCKET;
      default ->
          throw new IllegalArgumentException(
              "The group (" + text + ") is unknown. Maybe you meant address or socket.");
    };
  }

  static Direction direction(String text) {
    return switch (text) {
      case "out" -> Direction.OUT;
      case "in" -> Direction.IN;
      default ->
          throw new IllegalArgumentException(
              "The direction (" + text + ") is unknown. Maybe you meant out or in.");
    };
  }

  static boolean manageUnmatched(String text) {
    return switch (text) {
      case "manage" -> true;
      case "ignore" -> false;
      default ->
          throw new IllegalArgumentException(
              "The value (" + text + ") is unknown. Maybe you meant manage or ignore.");
    };
  }

  static boolean yesOrNo(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes" -> true;
      case "false", "no" -> false;
      default ->
          throw new IllegalArgumentException("The value (" + text + ") is neither true nor false.");
    };
  }
}
