package org.paceline.runtime.providers.openflow.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.paceline.runtime.providers.openflow.translation.Rules.DEVICE;
import static org.paceline.runtime.providers.openflow.translation.Rules.OPENFLOW;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterFeatures;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterState;
import org.projectfloodlight.openflow.protocol.OFMeterFlags;
import org.projectfloodlight.openflow.protocol.OFMeterMod;
import org.projectfloodlight.openflow.protocol.OFMeterModCommand;
import org.projectfloodlight.openflow.protocol.OFMeterModFailedCode;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBandDrop;
import org.projectfloodlight.openflow.types.U64;

class MeterTranslationTest {
  private static final DefaultApplicationId APPLICATION = new DefaultApplicationId(1, "test");

  private static Meter meter(boolean burst) {
    Band drop = DefaultBand.builder().ofType(Band.Type.DROP).withRate(5_000).burstSize(640).build();
    Meter.Builder meter =
        DefaultMeter.builder()
            .forDevice(DEVICE)
            .withCellId(MeterId.meterId(3))
            .fromApp(APPLICATION)
            .withUnit(Meter.Unit.KB_PER_SEC)
            .withBands(List.of(drop));
    return burst ? meter.burst().build() : meter.build();
  }

  @Test
  void aMetersRateAndBurstReachTheSwitch() {
    OFMeterMod message = MeterTranslation.write(OPENFLOW, meter(true), OFMeterModCommand.ADD, 8);

    assertThat(message.getMeterId()).isEqualTo(3);
    assertThat(message.getXid()).isEqualTo(8);
    assertThat(message.getFlags())
        .containsExactlyInAnyOrder(OFMeterFlags.KBPS, OFMeterFlags.BURST, OFMeterFlags.STATS);
    OFMeterBandDrop band = (OFMeterBandDrop) message.getMeters().get(0);
    assertThat(band.getRate()).isEqualTo(5_000);
    assertThat(band.getBurstSize()).isEqualTo(640);
  }

  @Test
  void aBurstThatTheMeterDoesNotClaimIsNotSent() {
    OFMeterMod message = MeterTranslation.write(OPENFLOW, meter(false), OFMeterModCommand.ADD, 8);

    assertThat(message.getFlags()).doesNotContain(OFMeterFlags.BURST);
    assertThat(((OFMeterBandDrop) message.getMeters().get(0)).getBurstSize()).isZero();
  }

  @Test
  void countersOfTheMeterAndOfWhatItDroppedComeBack() {
    Meter counted =
        MeterTranslation.counted(
            DEVICE,
            APPLICATION,
            OPENFLOW
                .buildMeterStats()
                .setMeterId(3)
                .setFlowCount(2)
                .setPacketInCount(U64.of(100))
                .setByteInCount(U64.of(150_000))
                .setDurationSec(12)
                .setBandStats(
                    List.of(
                        OPENFLOW
                            .buildMeterBandStats()
                            .setPacketBandCount(U64.of(40))
                            .setByteBandCount(U64.of(60_000))
                            .build()))
                .build());

    assertThat(counted.id()).isEqualTo(MeterId.meterId(3));
    assertThat(counted.state()).isEqualTo(MeterState.ADDED);
    assertThat(counted.packetsSeen()).isEqualTo(100);
    assertThat(counted.bytesSeen()).isEqualTo(150_000);
    assertThat(counted.referenceCount()).isEqualTo(2);
    Band dropped = counted.bands().iterator().next();
    assertThat(dropped.packets()).isEqualTo(40);
    assertThat(dropped.bytes()).isEqualTo(60_000);
  }

  @Test
  void whatTheSwitchSaysItCanIsReadBitByBit() {
    MeterFeatures features =
        MeterTranslation.features(
            DEVICE,
            OPENFLOW
                .buildMeterFeatures()
                .setMaxMeter(200_000)
                .setMaxBands((short) 1)
                .setMaxColor((short) 0)
                .setBandTypes(0b10)
                .setCapabilities(0b1101)
                .build());

    assertThat(features.maxMeter()).isEqualTo(200_000);
    assertThat(features.bandTypes()).containsExactly(Band.Type.DROP);
    assertThat(features.unitTypes()).containsExactly(Meter.Unit.KB_PER_SEC);
    assertThat(features.isBurstSupported()).isTrue();
    assertThat(features.isStatsSupported()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(OFMeterModFailedCode.class)
  void everyRefusalOfASwitchHasAReasonInOnos(OFMeterModFailedCode code) {
    assertThatCode(() -> MeterTranslation.reason(code)).doesNotThrowAnyException();
  }
}
