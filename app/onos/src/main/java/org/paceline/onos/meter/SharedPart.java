package org.paceline.onos.meter;

import java.util.Optional;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;

/** What one conversation has of a shared meter, as it was at one time. */
final class SharedPart {
  private final ConversationId id;
  private final SharedMeter.Place place;
  private final Optional<MeterId> meter;
  private final long sum;
  private final long kbps;
  private final int members;

  /**
   * @param meter empty while it is made or changed
   * @param sum of the rates of all members
   * @param kbps of that, what is for this one
   */
  SharedPart(
      ConversationId id,
      SharedMeter.Place place,
      Optional<MeterId> meter,
      long sum,
      long kbps,
      int members) {
    this.id = id;
    this.place = place;
    this.meter = meter;
    this.sum = sum;
    this.kbps = kbps;
    this.members = members;
  }

  /** As wanted where the switch's meter has the sum of all. */
  InstalledElement element(DropMeters.Reading reading) {
    return Limit.element(
        reading,
        id,
        place.device(),
        meter,
        sum,
        "; shared by "
            + members
            + " conversations of "
            + place.group()
            + ", "
            + kbps
            + " kbit/s of it for this one");
  }
}
