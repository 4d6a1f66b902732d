package org.paceline.control.assurance;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;

/** An element that is not as wanted, from when it was first seen so. */
final class Drift {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  final int enforcer;
  final ConversationId conversation;
  final Instant since;

  /** The same, by the worker's time. */
  final Duration noticed;

  @Nullable InstalledElement element;
  int seen;
  int repairs;

  Drift(int enforcer, ConversationId conversation, Instant since, Duration noticed) {
    this.enforcer = enforcer;
    this.conversation = conversation;
    this.since = since;
    this.noticed = noticed;
  }

  /** Whether the journal has heard of it. */
  boolean isSaid() {
    return repairs > 0;
  }

  boolean isAlarming(Duration now) {
    return noticed.plus(LIMIT).compareTo(now) <= 0;
  }

  String sentence() {
    InstalledElement now = Objects.requireNonNull(element);
    switch (now.standing()) {
      case MISSING:
        return "The " + now + " is missing; it should be (" + now.wanted() + ").";
      case WRONG:
        return "The " + now + " is (" + now.found() + ") and should be (" + now.wanted() + ").";
      default:
        return "The " + now + " cannot be read back; it should be (" + now.wanted() + ").";
    }
  }

  String tried() {
    return repairs == 0
        ? "Maybe its switch or agent does not answer."
        : "It was written again "
            + repairs
            + " times. Maybe its switch or agent refuses it, or somebody else changes it.";
  }
}
