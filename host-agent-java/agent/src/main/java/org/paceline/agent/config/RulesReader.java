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
  private static final String RULE_KEYS = "intent, ignore, match, group, direction";
  private static final String MATCH_KEYS =
      "protocol, localPort, remotePort, localAddress, remoteAddress, " + Trait.keys();

  private RulesReader() {}

  /**
   * @throws FaultyFile with every fault
   */
  public static RuleSet read(Path file) {
    Faults faults = new Faults(file.toString());
    FileRights.check(file, faults);
    YamlMap top = YamlMap.read(file, faults);
    boolean manage = top.take("unmatched", RulesReader::manageUnmatched, true);
    AddressSets addresses = AddressSets.read(top.takeMap("addresses"), faults);
    if (!top.has("rules")) {
      faults.add("The key (rules) is missing: a list of rules, the first that matches decides.");
    }
    List<Rule> rules = new ArrayList<>();
    for (YamlMap item : top.takeMaps("rules")) {
      rule(item, addresses, faults).ifPresent(rules::add);
    }
    top.nothingElse("rules, unmatched, addresses");
    faults.throwIfAny();
    return new RuleSet(rules, manage);
  }

  private static Optional<Rule> rule(YamlMap item, AddressSets addresses, Faults faults) {
    int before = faults.messages().size();
    boolean hasIntent = item.has("intent");
    Optional<IntentPath> intent = item.take("intent", RulesReader::intent);
    boolean ignore = item.take("ignore", RulesReader::yesOrNo, false);
    if (hasIntent == ignore) {
      faults.add(item.place(), "A rule gives an intent or says (ignore: true), one of the two.");
    }
    Rule.Grouping grouping = item.take("group", RulesReader::grouping, Rule.Grouping.ADDRESS);
    Direction direction = item.take("direction", RulesReader::direction, Direction.OUT);
    Conditions conditions =
        item.takeMap("match").map(match -> conditions(match, addresses)).orElse(Conditions.NONE);
    item.nothingElse(RULE_KEYS);
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
            match.take("protocol", RulesReader::transport),
            match.take("localPort", PortRanges::parse),
            match.take("remotePort", PortRanges::parse),
            addresses.take(match, "localAddress"),
            addresses.take(match, "remoteAddress"),
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

  private static Direction direction(String text) {
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
