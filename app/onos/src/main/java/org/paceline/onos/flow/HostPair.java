package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import org.paceline.control.model.Conversation;

/** The two addresses of a conversation, in its direction. */
@AutoValue
abstract class HostPair {
  abstract String source();

  abstract String destination();

  static HostPair of(Conversation conversation) {
    return of(conversation.localAddress(), conversation.remoteAddress());
  }

  static HostPair of(String source, String destination) {
    return new AutoValue_HostPair(source, destination);
  }

  @Override
  public final String toString() {
    return source() + " > " + destination();
  }
}
