package org.paceline.agent.session;

import org.paceline.protocol.Refusal;

/** A controller's refusal, as a person reads it. */
final class RefusalText {
  private RefusalText() {}

  static String of(Refusal refusal) {
    return refusal.getCode() + ": " + refusal.getMessage();
  }

  /** With what the controller knows instead. */
  static String withKnown(Refusal refusal) {
    String unknown =
        refusal.getUnknownIntentsList().stream()
            .filter(intent -> !refusal.getMessage().contains(intent))
            .reduce("", (a, b) -> a + " (" + b + ")");
    return of(refusal)
        + (unknown.isEmpty() ? "" : " Unknown:" + unknown + ".")
        + (refusal.getKnownIntentsCount() == 0
            ? ""
            : " Maybe you meant one of " + String.join(", ", refusal.getKnownIntentsList()) + ".");
  }
}
