package org.paceline.onos.meter;

import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;
import org.paceline.control.model.Unserved;

/** What a conversation is held to, and by which meter where the switch has it. */
final class Limit {
  final Conversation conversation;
  final DeviceId device;
  final long kbps;
  final Optional<MeterId> meter;

  /** What still holds while this one's meter is made; to be taken away with it or after it. */
  final Optional<Limit> former;

  /** What came of limiting a conversation. */
  static final class Outcome {
    static final Outcome DONE = new Outcome(false, Optional.empty());

    /** A newer rate came in between: what comes of that one counts. */
    static final Outcome OVERTAKEN = new Outcome(true, Optional.empty());

    final boolean isOvertaken;

    /** Why it could not be limited. */
    final Optional<Unserved> refusal;

    private Outcome(boolean isOvertaken, Optional<Unserved> refusal) {
      this.isOvertaken = isOvertaken;
      this.refusal = refusal;
    }

    static Outcome refused(Unserved why) {
      return new Outcome(false, Optional.of(why));
    }
  }

  /** A net that could not be made, and why. */
  static final class MissingNet {
    final Conversation conversation;
    final long kbps;
    private final String problem;

    MissingNet(Conversation conversation, long kbps, String problem) {
      this.conversation = conversation;
      this.kbps = kbps;
      this.problem = problem;
    }

    InstalledElement element() {
      return InstalledElement.of(
          InstalledElement.Kind.METER,
          "its first switch",
          "of " + conversation.id(),
          InstalledElement.Standing.WRONG,
          DropMeters.config(kbps).toString(),
          "not there: " + problem);
    }
  }

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

  boolean isBySameMeterAs(Limit other) {
    return device.equals(other.device) && meter.equals(other.meter);
  }

  /** The newest of these that a meter holds by now; empty where there is none yet. */
  Optional<Limit> held() {
    return meter.isPresent() ? Optional.of(this) : former.flatMap(Limit::held);
  }

  /** Named after its conversation: the meter's number is another one after each change. */
  InstalledElement element(DropMeters.Reading reading) {
    return element(reading, conversation.id(), device, meter, kbps, "");
  }

  /**
   * @param meter empty while it is made or changed
   * @param shared for people, the end of what is wanted: who has which part of it
   */
  static InstalledElement element(
      DropMeters.Reading reading,
      ConversationId id,
      DeviceId device,
      Optional<MeterId> meter,
      long kbps,
      String shared) {
    String at = device.toString();
    String name = "of " + id;
    MeterConfigs.Config wanted = DropMeters.config(kbps);
    if (meter.isEmpty() || !reading.knows(device)) {
      return InstalledElement.of(
          InstalledElement.Kind.METER,
          at,
          name,
          InstalledElement.Standing.UNKNOWN,
          wanted + shared,
          "");
    }
    Optional<MeterConfigs.Config> found = reading.of(device, meter.get());
    String number = "number " + meter.get().id() + ", ";
    return InstalledElement.of(
        InstalledElement.Kind.METER,
        at,
        name,
        InstalledElement.Standing.of(wanted, found),
        number + wanted + shared,
        found.map(does -> number + does).orElse(""));
  }
}
