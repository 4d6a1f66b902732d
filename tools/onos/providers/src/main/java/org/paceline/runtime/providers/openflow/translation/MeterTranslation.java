package org.paceline.runtime.providers.openflow.translation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.DefaultMeterFeatures;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterFeatures;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterState;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMeterBandStats;
import org.projectfloodlight.openflow.protocol.OFMeterFeatures;
import org.projectfloodlight.openflow.protocol.OFMeterFlags;
import org.projectfloodlight.openflow.protocol.OFMeterMod;
import org.projectfloodlight.openflow.protocol.OFMeterModCommand;
import org.projectfloodlight.openflow.protocol.OFMeterModFailedCode;
import org.projectfloodlight.openflow.protocol.OFMeterStats;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBand;

/** Meters in ONOS's and in OpenFlow's words. */
public final class MeterTranslation {
  private MeterTranslation() {}

  public static OFMeterMod write(
      OFFactory factory, Meter meter, OFMeterModCommand command, long xid) {
    OFMeterMod.Builder message =
        factory.buildMeterMod().setXid(xid).setMeterId(meter.id().id()).setCommand(command);
    if (command != OFMeterModCommand.DELETE) {
      message.setFlags(flags(meter)).setMeters(bands(factory, meter));
    }
    return message.build();
  }

  private static Set<OFMeterFlags> flags(Meter meter) {
    Set<OFMeterFlags> flags = EnumSet.of(OFMeterFlags.STATS);
    switch (meter.unit()) {
      case KB_PER_SEC:
        // Kilobits, despite its name.
        flags.add(OFMeterFlags.KBPS);
        break;
      case PKTS_PER_SEC:
        flags.add(OFMeterFlags.PKTPS);
        break;
      default:
        throw new UnsupportedOperationException(
            "OpenFlow meters cannot count in " + meter.unit() + ". Maybe use KB_PER_SEC.");
    }
    if (meter.isBurst()) {
      flags.add(OFMeterFlags.BURST);
    }
    return flags;
  }

  private static List<OFMeterBand> bands(OFFactory factory, Meter meter) {
    List<OFMeterBand> bands = new ArrayList<>();
    for (Band band : meter.bands()) {
      long burst = meter.isBurst() && band.burst() != null ? band.burst() : 0;
      switch (band.type()) {
        case DROP:
          bands.add(
              factory.meterBands().buildDrop().setRate(band.rate()).setBurstSize(burst).build());
          break;
        case REMARK:
          bands.add(
              factory
                  .meterBands()
                  .buildDscpRemark()
                  .setRate(band.rate())
                  .setBurstSize(burst)
                  .setPrecLevel(band.dropPrecedence())
                  .build());
          break;
        default:
          throw new UnsupportedOperationException(
              "OpenFlow meters have no band " + band.type() + ". Maybe use DROP or REMARK.");
      }
    }
    return bands;
  }

  /** A meter as a switch counts it. Its rates are not in the reply; ONOS knows those it wanted. */
  public static Meter counted(DeviceId device, ApplicationId reporter, OFMeterStats stats) {
    List<Band> bands = new ArrayList<>();
    for (OFMeterBandStats each : stats.getBandStats()) {
      DefaultBand band = placeholder();
      band.setPackets(each.getPacketBandCount().getValue());
      band.setBytes(each.getByteBandCount().getValue());
      bands.add(band);
    }
    if (bands.isEmpty()) {
      bands.add(placeholder());
    }
    DefaultMeter meter =
        (DefaultMeter)
            DefaultMeter.builder()
                .forDevice(device)
                .withCellId(MeterId.meterId(stats.getMeterId()))
                .fromApp(reporter)
                .withUnit(Meter.Unit.KB_PER_SEC)
                .withBands(bands)
                .build();
    meter.setState(MeterState.ADDED);
    meter.setLife(stats.getDurationSec());
    meter.setReferenceCount(stats.getFlowCount());
    meter.setProcessedPackets(stats.getPacketInCount().getValue());
    meter.setProcessedBytes(stats.getByteInCount().getValue());
    return meter;
  }

  private static DefaultBand placeholder() {
    return (DefaultBand)
        DefaultBand.builder().ofType(Band.Type.DROP).withRate(1).burstSize(0).build();
  }

  public static MeterFeatures features(DeviceId device, OFMeterFeatures features) {
    Set<Band.Type> bands = EnumSet.noneOf(Band.Type.class);
    if (hasBit(features.getBandTypes(), 1)) {
      bands.add(Band.Type.DROP);
    }
    if (hasBit(features.getBandTypes(), 2)) {
      bands.add(Band.Type.REMARK);
    }
    Set<Meter.Unit> units = EnumSet.noneOf(Meter.Unit.class);
    if (hasBit(features.getCapabilities(), 0)) {
      units.add(Meter.Unit.KB_PER_SEC);
    }
    if (hasBit(features.getCapabilities(), 1)) {
      units.add(Meter.Unit.PKTS_PER_SEC);
    }
    return DefaultMeterFeatures.builder()
        .forDevice(device)
        .withMaxMeters(features.getMaxMeter())
        .withMaxBands(features.getMaxBands())
        .withMaxColors(features.getMaxColor())
        .withBandTypes(bands)
        .withUnits(units)
        .hasBurst(hasBit(features.getCapabilities(), 2))
        .hasStats(hasBit(features.getCapabilities(), 3))
        .withFeatures(EnumSet.noneOf(org.onosproject.net.meter.MeterFeaturesFlag.class))
        .build();
  }

  private static boolean hasBit(long bits, int number) {
    return (bits >> number & 1) == 1;
  }

  public static MeterFailReason reason(OFMeterModFailedCode code) {
    switch (code) {
      case UNKNOWN:
        return MeterFailReason.UNKNOWN;
      case METER_EXISTS:
        return MeterFailReason.EXISTING_METER;
      case INVALID_METER:
      case UNKNOWN_METER:
        return MeterFailReason.INVALID_METER;
      case BAD_COMMAND:
        return MeterFailReason.UNKNOWN_COMMAND;
      case BAD_FLAGS:
        return MeterFailReason.UNKNOWN_FLAGS;
      case BAD_RATE:
        return MeterFailReason.BAD_RATE;
      case BAD_BURST:
        return MeterFailReason.BAD_BURST;
      case BAD_BAND:
        return MeterFailReason.BAD_BAND;
      case BAD_BAND_VALUE:
        return MeterFailReason.BAD_BAND_VALUE;
      case OUT_OF_METERS:
        return MeterFailReason.OUT_OF_METERS;
      case OUT_OF_BANDS:
        return MeterFailReason.OUT_OF_BANDS;
    }
    throw new IllegalArgumentException("The meter error " + code + " is not known.");
  }
}
