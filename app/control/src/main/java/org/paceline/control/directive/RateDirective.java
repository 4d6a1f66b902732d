package org.paceline.control.directive;

import org.paceline.intents.unit.DataRate;

/** Holds a conversation to a rate, wherever that is done. */
public interface RateDirective extends ConversationDirective {
  DataRate rate();
}
