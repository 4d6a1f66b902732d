package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Conversation;
import org.paceline.intents.network.Path;

/** One conversation, the path that it is to take, and the meter that it passes at its first hop. */
@AutoValue
abstract class Lead {
  abstract Conversation conversation();

  abstract Path path();

  abstract Optional<PassedMeter> meter();

  /** By which its first switch names that meter. */
  final Optional<MeterId> meterId() {
    return meter().map(PassedMeter::id);
  }

  /** Whether its packets are marked for the queues of elephants. */
  abstract boolean isApart();

  static Lead of(Conversation conversation, Path path, Optional<PassedMeter> meter) {
    return new AutoValue_Lead(conversation, path, meter, false);
  }

  Lead through(Optional<PassedMeter> other) {
    return new AutoValue_Lead(conversation(), path(), other, isApart());
  }

  /** Whether the same rules lead both: all but what the meter lets through is the same. */
  final boolean isLedAs(Lead other) {
    return meterId().equals(other.meterId())
        && through(Optional.empty()).equals(other.through(Optional.empty()));
  }

  /** The same for an elephant. */
  Lead apart() {
    return new AutoValue_Lead(conversation(), path(), meter(), true);
  }

  /** The same path and meter for what is known of the conversation now. */
  Lead by(Conversation now) {
    return new AutoValue_Lead(now, path(), meter(), isApart());
  }
}
