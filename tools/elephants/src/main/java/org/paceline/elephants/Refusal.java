package org.paceline.elephants;

/** Something that the user can put right: it ends the command with exit status 2. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;

  Refusal(String reason) {
    super(reason);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
