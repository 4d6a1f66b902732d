package org.paceline.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.naming.Conditions;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.Trait;
import org.paceline.agent.sense.SocketFacts;
import org.paceline.intents.tree.IntentPath;

/** What a socket has, which rule names it, and which nearly would have, for a person. */
final class ExplainText {
  private static final int MOST_NEAR = 3;

  private ExplainText() {}

  static String of(SocketFacts socket, RuleSet rules) {
    List<Rule> all = rules.rules(socket.flow().direction());
    Optional<Rule> rule = all.stream().filter(r -> r.matches(socket)).findFirst();
    StringBuilder text = new StringBuilder();
    text.append(socket.flow()).append(", ").append(String.join(", ", traits(socket)));
    text.append(": ").append(verdict(socket, rules)).append(", ");
    text.append(rule.map(Rule::place).orElse("no rule matches")).append('\n');
    // Only what stands before the rule that decides could have decided.
    int before = rule.map(all::indexOf).orElse(all.size());
    all.subList(0, before).stream()
        .flatMap(other -> near(other, socket).stream())
        .limit(MOST_NEAR)
        .forEach(line -> text.append("    ").append(line).append('\n'));
    return text.toString();
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

  private static String verdict(SocketFacts socket, RuleSet rules) {
    return rules
        .name(socket)
        .map(RuleSet.Name::intent)
        .map(intent -> intent.equals(IntentPath.ROOT) ? "managed without an intent" : "" + intent)
        .orElse("left alone");
  }

  /** A rule that one condition kept from it, of more, or one that is not known of the socket. */
  private static Optional<String> near(Rule rule, SocketFacts socket) {
    List<Conditions.Miss> misses = rule.conditions().misses(socket);
    if (misses.size() != 1) {
      return Optional.empty();
    }
    Conditions.Miss miss = misses.get(0);
    return rule.conditions().count() > 1 || miss.is().isEmpty()
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
