package org.paceline.onos.meter;

import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.conversations.Conversation;

/** What a conversation is held to, and by which meter where the switch has it. */
final class Limit {
  final Conversation conversation;
  final DeviceId device;
  final long kbps;
  final Optional<MeterId> meter;

  /** What still holds while this one's meter is made; to be taken away with it or after it. */
  final Optional<Limit> former;

  private Limit(
      Conversation conversation,
      DeviceId device,
      long kbps,
      Optional<MeterId> meter,
      Optional<Limit> former) {
    this.conversation = conversation;
    this.device = device;
    this.kbps = kbps;
    this.meter = meter;
    this.former = former;
  }

  static Limit wanted(
      Conversation conversation, DeviceId device, long kbps, Optional<Limit> former) {
    return new Limit(conversation, device, kbps, Optional.empty(), former);
  }

  Limit by(MeterId made) {
    return new Limit(conversation, device, kbps, Optional.of(made), Optional.empty());
  }
}
