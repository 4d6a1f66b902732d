package org.paceline.agent.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.naming.Conditions;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.naming.Trait;
import org.paceline.intents.tree.IntentPath;

/** What a socket has, what names it, and which rules nearly would have, for a person. */
final class ExplainText {
  private static final int MOST_NEAR = 3;

  private ExplainText() {}

  /** About what one of them sends. A claim goes before the rules, whoever it sends to. */
  static String of(OpenSockets.One socket, RuleSet rules) {
    SocketFacts facts = socket.facts();
    boolean anybody = socket.peer() == OpenSockets.Peer.ANYBODY;
    String ends = anybody ? facts.flow().toAnybody() + " (not connected)" : facts.flow().toString();
    String claim =
        socket
            .claim()
            .map(c -> c.intent() + ", claimed by process " + c.process() + "; without that: ")
            .orElse("");
    return head(ends, facts) + claim + (anybody ? toAnybody(facts, rules) : byRules(facts, rules));
  }

  /** About what it sends or receives, by the rules alone. */
  static String of(SocketFacts socket, RuleSet rules) {
    return head(socket.flow().toString(), socket) + byRules(socket, rules);
  }

  private static String head(String ends, SocketFacts socket) {
    return ends + ", " + String.join(", ", traits(socket)) + ": ";
  }

  private static String byRules(SocketFacts socket, RuleSet rules) {
    Direction direction = socket.flow().direction();
    List<Rule> all = rules.rulesToTheEnd(direction);
    Optional<Rule> rule = all.stream().filter(r -> r.matches(socket)).findFirst();
    // Only what stands before the rule that decides could have decided.
    int before = rule.map(all::indexOf).orElse(all.size());
    return verdict(rule, rules, direction)
        + nearest(
            all.subList(0, before).stream()
                .flatMap(other -> near(other, other.conditions(), socket).stream()));
  }

  /** Each rule that could name what it sends, up to the first that asks for no destination. */
  private static String toAnybody(SocketFacts socket, RuleSet rules) {
    StringBuilder some = new StringBuilder();
    List<String> nearly = new ArrayList<>();
    Optional<Rule> certain = Optional.empty();
    for (Rule rule : rules.rules(Direction.OUT)) {
      List<String> asked = rule.conditions().unsettled(socket);
      if (!rule.conditions().couldMatchUnconnected(socket)) {
        near(rule, rule.conditions().settled(socket), socket).ifPresent(nearly::add);
      } else if (asked.isEmpty()) {
        certain = Optional.of(rule);
        break;
      } else {
        some.append("    where ").append(String.join(" and ", asked)).append(": ");
        some.append(verdict(Optional.of(rule), rules, Direction.OUT));
      }
    }
    String otherwise = verdict(certain, rules, Direction.OUT);
    return (some.isEmpty() ? otherwise : "by whom it sends to\n" + some + "    else: " + otherwise)
        + nearest(nearly.stream());
  }

  private static String nearest(Stream<String> nearly) {
    return nearly.limit(MOST_NEAR).map(line -> "    " + line + "\n").collect(Collectors.joining());
  }

  private static List<String> traits(SocketFacts socket) {
    List<String> known = new ArrayList<>();
    known.add(
        socket.owner().pid() == 0
            ? "unknown process"
            : socket.owner().name() + " (" + socket.owner().pid() + ")");
    for (Trait trait : Trait.values()) {
      if (trait != Trait.PROCESS && !trait.of(socket).isEmpty()) {
        known.add(trait.key() + " " + trait.text(socket));
      }
    }
    return known;
  }

  private static String verdict(Optional<Rule> rule, RuleSet rules, Direction direction) {
    Optional<IntentPath> named = rule.map(Rule::intent).orElse(rules.unmatched(direction));
    return named
            .map(
                intent ->
                    intent.equals(IntentPath.ROOT) ? "managed without an intent" : "" + intent)
            .orElse("left alone")
        + ", "
        + rule.map(Rule::place).orElse("no rule matches")
        + "\n";
  }

  /** A rule that one of these conditions kept from it, of more, or one that is not known. */
  private static Optional<String> near(Rule rule, Conditions conditions, SocketFacts socket) {
    List<Conditions.Miss> misses = conditions.misses(socket);
    if (misses.size() != 1) {
      return Optional.empty();
    }
    Conditions.Miss miss = misses.get(0);
    return conditions.count() > 1 || miss.is().isEmpty()
        ? Optional.of(
            "not "
                + rule.intent().map(Object::toString).orElse("left alone")
                + ", "
                + rule.place()
                + ": "
                + miss.key()
                + " is "
                + (miss.is().isEmpty() ? "not known" : miss.is())
                + ", not "
                + miss.wanted())
        : Optional.empty();
  }
}
