package org.paceline.control.directive;

import org.paceline.control.model.ConversationId;

/** One thing that a scheme wants for a conversation. */
public interface ConversationDirective extends Directive {
  ConversationId conversation();

  /** The same as long as the conversation's agent calls it the same. */
  @Override
  default String id() {
    return owner().word() + "/" + kind().word() + "/" + conversation();
  }
}
