package org.paceline.runtime.stores.meter;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterState;

/** Copies of ONOS's mutable meters: what the store gave out never changes under its reader. */
final class MeterCopies {
  private MeterCopies() {}

  static Meter withState(Meter meter, MeterState state) {
    DefaultMeter copy = copy(meter, new ArrayList<>(meter.bands()));
    copy.setState(state);
    copyCounters(meter, copy);
    return copy;
  }

  /** The wanted meter with the counters that the switch reported, those of its bands included. */
  static Meter withCounters(Meter wanted, Meter reported) {
    DefaultMeter copy = copy(wanted, bandsWithCounters(wanted, reported));
    copy.setState(wanted.state() == MeterState.PENDING_ADD ? reported.state() : wanted.state());
    copyCounters(reported, copy);
    return copy;
  }

  private static DefaultMeter copy(Meter meter, List<Band> bands) {
    Meter.Builder builder =
        DefaultMeter.builder()
            .forDevice(meter.deviceId())
            .withCellId(meter.meterCellId())
            .fromApp(meter.appId())
            .withUnit(meter.unit())
            .withBands(bands);
    if (meter.isBurst()) {
      builder.burst();
    }
    return (DefaultMeter) builder.build();
  }

  private static void copyCounters(Meter from, DefaultMeter to) {
    to.setLife(from.life());
    to.setReferenceCount(from.referenceCount());
    to.setProcessedPackets(from.packetsSeen());
    to.setProcessedBytes(from.bytesSeen());
  }

  private static List<Band> bandsWithCounters(Meter wanted, Meter reported) {
    List<Band> bands = new ArrayList<>();
    // OpenFlow reports counters in the order in which the bands were sent.
    Iterator<Band> counters = reported.bands().iterator();
    for (Band band : wanted.bands()) {
      // By constructor: the builder refuses a band without a burst, which ONOS writes as null.
      DefaultBand copy =
          new DefaultBand(band.type(), band.rate(), band.burst(), band.dropPrecedence());
      if (counters.hasNext()) {
        Band counter = counters.next();
        copy.setPackets(counter.packets());
        copy.setBytes(counter.bytes());
      }
      bands.add(copy);
    }
    return bands;
  }
}
