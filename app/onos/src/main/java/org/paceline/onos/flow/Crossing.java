package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.net.DeviceId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;

/** A switch on a path, with the hop by which packets come to it and the one by which they leave. */
final class Crossing {
  final LinkId coming;
  final LinkId leaving;

  /** Whether the sender is there. */
  final boolean isFirst;

  /** How many switches lie behind it: 0 at the last, where the receiver is. */
  final int distance;

  private Crossing(LinkId coming, LinkId leaving, boolean isFirst, int distance) {
    this.coming = coming;
    this.leaving = leaving;
    this.isFirst = isFirst;
    this.distance = distance;
  }

  /**
   * From the sender's switch on.
   *
   * @param path from a host to a host
   */
  static List<Crossing> of(Path path) {
    List<LinkId> hops = path.hops();
    List<Crossing> crossings = new ArrayList<>();
    for (int i = 1; i < hops.size(); i++) {
      int behind = hops.size() - 1 - i;
      crossings.add(new Crossing(hops.get(i - 1), hops.get(i), crossings.isEmpty(), behind));
    }
    return crossings;
  }

  DeviceId device() {
    return DeviceId.deviceId(leaving.from());
  }
}
