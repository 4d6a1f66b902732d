package org.paceline.control.assurance;

import java.util.Objects;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;

/** Where in the network a conversation has something installed. */
final class Place {
  private final ConversationId conversation;
  private final InstalledElement.Kind kind;
  private final String at;
  private final String name;

  Place(ConversationId conversation, InstalledElement element) {
    this.conversation = conversation;
    this.kind = element.kind();
    this.at = element.at();
    this.name = element.name();
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Place)) {
      return false;
    }
    Place that = (Place) other;
    return conversation.equals(that.conversation)
        && kind == that.kind
        && at.equals(that.at)
        && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(conversation, kind, at, name);
  }
}
