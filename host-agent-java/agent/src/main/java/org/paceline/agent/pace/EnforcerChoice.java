package org.paceline.agent.pace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.Refused;
import org.paceline.agent.naming.RuleSet;

/**
 * Which enforcer this host gets: the best that works when it is tried in a network namespace made
 * for the moment. What a kernel can do is never told by its version.
 *
 * @param passedOver why each better one is not it
 */
public record EnforcerChoice(EnforcerKind kind, List<String> passedOver) {
  public EnforcerChoice {
    passedOver = List.copyOf(passedOver);
  }

  /**
   * @param wanted the only one that will do; empty: the best
   * @throws Refused where that one does not work
   */
  public static EnforcerChoice probe(Optional<EnforcerKind> wanted, RuleSet rules)
      throws IOException {
    List<String> passedOver = new ArrayList<>();
    for (EnforcerKind kind : EnforcerKind.values()) {
      if (wanted.isPresent() && wanted.get() != kind) {
        continue;
      }
      Optional<String> obstacle = obstacle(kind, rules);
      if (obstacle.isEmpty()) {
        return new EnforcerChoice(kind, passedOver);
      }
      if (wanted.isPresent()) {
        throw new Refused(
            "This kernel cannot pace as it is told to (enforcer: "
                + kind.word()
                + "): "
                + obstacle.get()
                + ". Maybe load its modules, or take another with (enforcer: auto).");
      }
      passedOver.add(kind.word() + ": " + obstacle.get());
    }
    throw new IllegalStateException("the last kind needs nothing and was refused");
  }

  private static Optional<String> obstacle(EnforcerKind kind, RuleSet rules) throws IOException {
    return switch (kind) {
      case HTB -> tryHtb(rules);
      case NONE -> Optional.empty();
    };
  }

  private static Optional<String> tryHtb(RuleSet rules) throws IOException {
    Optional<String> obstacle = KernelClasses.obstacle();
    if (obstacle.isPresent()) {
      return obstacle;
    }
    String script =
        "tc qdisc add dev lo root handle "
            + HtbPacer.HANDLE
            + " htb default 0 && tc class add dev lo parent "
            + HtbPacer.HANDLE
            + " classid "
            + HtbPacer.classId(1)
            + " htb rate 1mbit burst 1600 cburst 1600 && tc qdisc add dev lo parent "
            + HtbPacer.classId(1)
            + " pfifo limit 10 && nft -f -";
    Command.Outcome tried = Scratch.run(script, Classifier.table(List.of("lo"), rules));
    return tried.ok() ? Optional.empty() : Optional.of(tried.output().trim().replace('\n', ' '));
  }

  /** For a person. */
  public String text() {
    return "enforcer "
        + kind.word()
        + (passedOver.isEmpty() ? "" : " (" + String.join("; ", passedOver) + ")");
  }
}
