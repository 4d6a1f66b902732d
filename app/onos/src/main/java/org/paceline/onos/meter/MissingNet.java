package org.paceline.onos.meter;

import org.paceline.control.model.Conversation;
import org.paceline.control.model.InstalledElement;

/** A net that could not be made, and why. */
final class MissingNet {
  final Conversation conversation;
  final long kbps;
  private final String problem;

  MissingNet(Conversation conversation, long kbps, String problem) {
    this.conversation = conversation;
    this.kbps = kbps;
    this.problem = problem;
  }

  InstalledElement element() {
    return InstalledElement.compared(
        InstalledElement.Kind.METER,
        "its first switch",
        "of " + conversation.id(),
        DropMeters.describe(kbps),
        "not there: " + problem);
  }
}
