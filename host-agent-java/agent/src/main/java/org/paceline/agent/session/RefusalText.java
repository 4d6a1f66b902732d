package org.paceline.agent.session;

import org.paceline.protocol.Refusal;
import org.paceline.protocol.UnknownIntent;

/** What a controller refuses or does not know, as a person reads it. */
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

  /** Nothing is refused for it. */
  static String of(UnknownIntent unknown) {
    return "the controller does not know the intent ("
        + unknown.getIntent()
        + ") of the rules here and serves it as ("
        + unknown.getServedAs()
        + "). Maybe "
        + (unknown.getNearestCount() == 0
            ? ""
            : "you meant one of " + String.join(", ", unknown.getNearestList()) + ", or ")
        + "have it created there.";
  }
}
