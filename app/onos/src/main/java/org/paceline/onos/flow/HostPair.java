package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import org.onlab.packet.IpAddress;
import org.paceline.control.model.Conversation;

/** The two addresses of a conversation, in its direction. */
@AutoValue
abstract class HostPair {
  abstract IpAddress source();

  abstract IpAddress destination();

  static HostPair of(Conversation conversation) {
    return of(
        IpAddress.valueOf(conversation.localAddress()),
        IpAddress.valueOf(conversation.remoteAddress()));
  }

  static HostPair of(IpAddress source, IpAddress destination) {
    return new AutoValue_HostPair(source, destination);
  }

  @Override
  public final String toString() {
    return source() + " > " + destination();
  }
}
