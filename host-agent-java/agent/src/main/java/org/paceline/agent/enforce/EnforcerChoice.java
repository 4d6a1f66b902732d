package org.paceline.agent.enforce;

import java.util.List;
import java.util.Optional;

/**
 * Which enforcer this host gets.
 *
 * @param passedOver why each better one is not it
 * @param incoming why what comes in cannot be held, or empty where it can; absent where no rule
 *     asks for that
 */
public record EnforcerChoice(
    EnforcerKind kind, List<String> passedOver, Optional<String> incoming) {
  public EnforcerChoice {
    passedOver = List.copyOf(passedOver);
  }

  /** Where no rule asks for what comes in. */
  public EnforcerChoice(EnforcerKind kind, List<String> passedOver) {
    this(kind, passedOver, Optional.empty());
  }

  /** Whether there are rules for what comes in, and it can be held to its rates here. */
  public boolean limitsIncoming() {
    return incoming.filter(String::isEmpty).isPresent();
  }

  /** For a person. */
  public String text() {
    return "enforcer "
        + kind.word()
        + (passedOver.isEmpty() ? "" : " (" + String.join("; ", passedOver) + ")")
        + (kind == EnforcerKind.SOCKET ? ", TCP only (UDP leaves unpaced)" : "")
        + incoming
            .map(
                why -> why.isEmpty() ? ", incoming by ifb" : ", incoming not limited (" + why + ")")
            .orElse("");
  }
}
