package org.paceline.flowrecords;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.flowrecords.Datagrams.EXPORT_SECONDS;
import static org.paceline.flowrecords.Datagrams.UPTIME;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

final class FlowDecoderTest {
  private static final IpAddress EXPORTER = IpAddress.parse("192.0.2.1");
  private static final IpAddress OTHER_EXPORTER = IpAddress.parse("192.0.2.2");
  private static final long NOW = EXPORT_SECONDS * 1_000;
  private static final int TEMPLATE = 256;

  private final List<FlowRecord> records = new ArrayList<>();
  private final FlowDecoder decoder = new FlowDecoder(records::add);

  @Test
  void netFlow5IsReadWithItsTimesAndItsSampling() {
    take(
        Datagrams.netFlow5(2, 0, 0)
            .record5("10.0.0.1", "10.0.1.1", 1_000, UPTIME - 60_000, UPTIME - 1_000)
            .record5("10.0.0.2", "10.0.1.2", 4_000_000_000L, UPTIME - 5, UPTIME));
    take(
        Datagrams.netFlow5(1, 2, 0x4000 | 100)
            .record5("10.0.0.1", "10.0.1.1", 1_000, UPTIME, UPTIME));
    assertThat(records)
        .containsExactly(
            flow("10.0.0.1", "10.0.1.1", NOW + 250 - 60_000, NOW + 250 - 1_000, 1_000),
            flow("10.0.0.2", "10.0.1.2", NOW + 245, NOW + 250, 4_000_000_000L),
            flow("10.0.0.1", "10.0.1.1", NOW + 250, NOW + 250, 100_000));
    assertThat(decoder.counts())
        .isEqualTo(
            DecodeCounts.builder()
                .datagrams(2)
                .records(3)
                .malformed(0)
                .unknownTemplates(0)
                .incomplete(0)
                .lostRecords(0)
                .lostDatagrams(0)
                .build());
  }

  @Test
  void uptimesThatBeganAnewAreStillTheNearest() {
    take(
        new Datagrams()
            .shorts(5, 1)
            .ints(1_000, EXPORT_SECONDS, 0, 0)
            .shorts(0, 0)
            .record5("10.0.0.1", "10.0.1.1", 1, 0xffff_ffffL - 999, 500));
    assertThat(records).containsExactly(flow("10.0.0.1", "10.0.1.1", NOW - 2_000, NOW - 500, 1));
  }

  @Test
  void netFlow9IsReadByTheTemplatesOfItsExporter() {
    byte[] data = Datagrams.netFlow9(1, 7, sets -> sets.set(TEMPLATE, this::record9));
    decoder.decode(EXPORTER, data, data.length);
    assertThat(decoder.counts().unknownTemplates()).isOne();
    take(Datagrams.netFlow9(2, 7, sets -> sets.set(0, this::template9)));
    take(Datagrams.netFlow9(3, 7, sets -> sets.set(TEMPLATE, this::record9)));
    // Nobody else has that template: neither another domain nor another exporter.
    take(Datagrams.netFlow9(1, 8, sets -> sets.set(TEMPLATE, this::record9)));
    decoder.decode(OTHER_EXPORTER, data, data.length);
    assertThat(records)
        .containsExactly(flow("10.0.0.1", "10.0.1.1", NOW - 60_000, NOW - 1_000, 5_000_000_000L));
    assertThat(decoder.counts().unknownTemplates()).isEqualTo(3);
    assertThat(decoder.counts().lostDatagrams()).isZero();
    assertThat(decoder.counts().malformed()).isZero();
  }

  @Test
  void anotherHasItsOwnRecordsAndCounts() {
    List<FlowRecord> others = new ArrayList<>();
    FlowDecoder another = decoder.another(others::add);
    byte[] template = Datagrams.netFlow9(1, 7, sets -> sets.set(0, this::template9));
    byte[] data = Datagrams.netFlow9(2, 7, sets -> sets.set(TEMPLATE, this::record9));
    another.decode(OTHER_EXPORTER, template, template.length);
    another.decode(OTHER_EXPORTER, data, data.length);
    assertThat(others).hasSize(1);
    assertThat(records).isEmpty();
    assertThat(another.counts().records()).isOne();
    assertThat(decoder.counts().datagrams()).isZero();
  }

  private void template9(Datagrams set) {
    // Addresses, bytes, times, and a port that is of no use.
    set.shorts(TEMPLATE, 6).shorts(8, 4, 12, 4, 1, 8, 22, 4, 21, 4, 7, 2);
  }

  private void record9(Datagrams set) {
    set.address("10.0.0.1").address("10.0.1.1").number(8, 5_000_000_000L);
    set.ints(UPTIME - 60_000, UPTIME - 1_000).shorts(443);
    // Padding to four bytes.
    set.shorts(0);
  }

  @Test
  void samplingOfNetFlow9ComesInOptionsData() {
    take(
        Datagrams.netFlow9(
            0,
            7,
            sets ->
                sets.set(0, this::template9)
                    // One scope of four bytes, one option.
                    .set(1, set -> set.shorts(257, 4, 4, 1, 4, 34, 4).shorts(0))
                    .set(257, set -> set.ints(0, 10))
                    .set(TEMPLATE, this::record9)));
    assertThat(records).extracting(FlowRecord::bytes).containsExactly(50_000_000_000L);
  }

  @Test
  void eachSamplerOfAnExporterHasItsRate() {
    take(
        Datagrams.netFlow9(
            0,
            7,
            sets ->
                sets.set(
                        0,
                        set ->
                            set.shorts(TEMPLATE, 6).shorts(8, 4, 12, 4, 1, 4, 22, 4, 21, 4, 48, 1))
                    .set(1, set -> set.shorts(257, 4, 8, 1, 4, 48, 1, 50, 4))
                    .set(257, set -> set.ints(0).number(1, 1).ints(2).ints(0).number(1, 2).ints(3))
                    .set(
                        TEMPLATE,
                        set -> {
                          for (int sampler = 1; sampler <= 3; sampler++) {
                            set.address("10.0.0.1").address("10.0.1.1").ints(100);
                            set.ints(UPTIME, UPTIME).number(1, sampler);
                          }
                        })));
    assertThat(records).extracting(FlowRecord::bytes).containsExactly(200L, 300L, 100L);
  }

  @Test
  void ipfixIsReadWithIpv6VariableLengthsAndEnterpriseFields() {
    take(
        Datagrams.ipfix(
            0,
            1,
            sets ->
                sets.set(
                        2,
                        set ->
                            set.shorts(TEMPLATE, 7)
                                .shorts(27, 16, 28, 16, 82, 0xffff)
                                .shorts(0x8000 | 1, 0xffff)
                                .ints(29_305)
                                .shorts(1, 8, 152, 8, 153, 8))
                    .set(
                        TEMPLATE,
                        set -> {
                          ipv6Record(set, "eth0".getBytes(StandardCharsets.UTF_8));
                          ipv6Record(set, new byte[300]);
                        })));
    assertThat(decoder.counts().malformed()).isZero();
    assertThat(records)
        .containsExactly(
            flow("2001:db8::1", "2001:db8:1::1", NOW - 60_000, NOW, 7),
            flow("2001:db8::1", "2001:db8:1::1", NOW - 60_000, NOW, 7));
  }

  private static void ipv6Record(Datagrams set, byte[] name) {
    set.address("2001:db8::1").address("2001:db8:1::1");
    set.number(1, name.length < 255 ? name.length : 255);
    if (name.length >= 255) {
      set.shorts(name.length);
    }
    set.raw(name).number(1, 2).shorts(9);
    set.number(8, 7).number(8, NOW - 60_000).number(8, NOW);
  }

  /** RFC 7011 knows many ways to say when a flow was. */
  @Test
  void allKindsOfTimesAreRead() {
    long ntp = EXPORT_SECONDS + 2_208_988_800L;
    time(set -> set.shorts(150, 4, 151, 4), set -> set.ints(EXPORT_SECONDS - 60, EXPORT_SECONDS));
    time(set -> set.shorts(154, 8, 157, 8), set -> set.ints(ntp - 60, 0).ints(ntp, 0));
    time(set -> set.shorts(158, 4, 159, 4), set -> set.ints(60_000_000, 0));
    time(set -> set.shorts(161, 4, 153, 8), set -> set.ints(60_000).number(8, NOW));
    assertThat(records)
        .hasSize(4)
        .containsOnly(flow("10.0.0.1", "10.0.1.1", NOW - 60_000, NOW, 500));
    records.clear();
    // Uptimes, whose zero comes in options data.
    time(set -> set.shorts(22, 4, 21, 4), set -> set.ints(UPTIME - 60_000, UPTIME));
    assertThat(records).isEmpty();
    assertThat(decoder.counts().incomplete()).isOne();
    take(
        Datagrams.ipfix(
            0,
            1,
            sets ->
                sets.set(3, set -> set.shorts(300, 3, 1, 143, 4, 160, 8, 305, 4).shorts(0))
                    .set(300, set -> set.ints(0).number(8, NOW - UPTIME).ints(1))));
    time(set -> set.shorts(22, 4, 21, 4), set -> set.ints(UPTIME - 60_000, UPTIME));
    assertThat(records).containsExactly(flow("10.0.0.1", "10.0.1.1", NOW - 60_000, NOW, 500));
  }

  private void time(Consumer<Datagrams> elements, Consumer<Datagrams> values) {
    take(
        Datagrams.ipfix(
            0,
            1,
            sets ->
                sets.set(
                        2,
                        set -> {
                          set.shorts(TEMPLATE, 5).shorts(8, 4, 12, 4, 1, 2);
                          elements.accept(set);
                        })
                    .set(
                        TEMPLATE,
                        set -> {
                          set.address("10.0.0.1").address("10.0.1.1").shorts(500);
                          values.accept(set);
                        })));
  }

  /** RFC 5477: taken and left out, size and population, or a probability. */
  @Test
  void allKindsOfSamplingAreRead() {
    sampled(set -> set.shorts(305, 4, 306, 4), set -> set.ints(2, 18));
    sampled(set -> set.shorts(309, 4, 310, 4), set -> set.ints(1, 10));
    sampled(
        set -> set.shorts(311, 8, 4, 1),
        set -> set.number(8, Double.doubleToLongBits(0.1)).number(1, 6));
    sampled(
        set -> set.shorts(311, 4, 4, 1),
        set -> set.number(4, Float.floatToIntBits(0.1f)).number(1, 6));
    sampled(set -> set.shorts(34, 4, 35, 1), set -> set.ints(10).number(1, 2));
    // No sample takes more than there is.
    sampled(set -> set.shorts(34, 4, 35, 1), set -> set.ints(0).number(1, 2));
    assertThat(records).extracting(FlowRecord::bytes).containsExactly(10L, 10L, 10L, 10L, 10L, 1L);
  }

  private void sampled(Consumer<Datagrams> elements, Consumer<Datagrams> values) {
    take(
        Datagrams.ipfix(
            0,
            1,
            sets ->
                sets.set(
                        2,
                        set -> {
                          set.shorts(TEMPLATE, 7).shorts(8, 4, 12, 4, 1, 1, 150, 4, 151, 4);
                          elements.accept(set);
                        })
                    .set(
                        TEMPLATE,
                        set -> {
                          set.address("10.0.0.1").address("10.0.1.1").number(1, 1);
                          set.ints(EXPORT_SECONDS, EXPORT_SECONDS);
                          values.accept(set);
                        })));
  }

  @Test
  void withdrawnTemplatesAreUnknown() {
    Consumer<Datagrams> template =
        set -> set.shorts(TEMPLATE, 5).shorts(8, 4, 12, 4, 1, 1, 150, 4, 151, 4);
    for (int withdrawn : new int[] {TEMPLATE, 2}) {
      take(Datagrams.ipfix(0, 1, sets -> sets.set(2, template)));
      take(Datagrams.ipfix(0, 1, sets -> sets.set(2, set -> set.shorts(withdrawn, 0))));
      take(Datagrams.ipfix(0, 1, sets -> sets.set(TEMPLATE, set -> set.ints(0, 0, 0, 0, 0))));
    }
    assertThat(records).isEmpty();
    assertThat(decoder.counts().unknownTemplates()).isEqualTo(2);
  }

  @Test
  void gapsInTheSequenceAreCountedAndLateDatagramsAreNotLost() {
    for (int sequence : new int[] {0, 1, 4, 3, 5}) {
      take(Datagrams.netFlow5(1, sequence, 0).record5("10.0.0.1", "10.0.1.1", 1, UPTIME, UPTIME));
      take(Datagrams.netFlow9(sequence, 7, sets -> {}));
    }
    assertThat(decoder.counts().lostRecords()).isOne();
    assertThat(decoder.counts().lostDatagrams()).isOne();
    // An exporter that was started anew has lost nothing.
    take(Datagrams.netFlow9(1_000_000_000, 7, sets -> {}));
    take(Datagrams.netFlow9(0, 7, sets -> {}));
    assertThat(decoder.counts().lostDatagrams()).isOne();
  }

  @Test
  void ipfixCountsRecordsAndWaitsWhereItCannot() {
    Consumer<Datagrams> template =
        set -> set.shorts(TEMPLATE, 5).shorts(8, 4, 12, 4, 1, 1, 150, 4, 151, 4);
    Consumer<Datagrams> twoRecords = set -> set.raw(new byte[34]);
    // Three records without their template: nobody knows how many there were.
    take(Datagrams.ipfix(0, 1, sets -> sets.set(TEMPLATE, set -> set.raw(new byte[51]))));
    take(Datagrams.ipfix(3, 1, sets -> sets.set(2, template).set(TEMPLATE, twoRecords)));
    take(Datagrams.ipfix(5, 1, sets -> sets.set(TEMPLATE, twoRecords)));
    assertThat(decoder.counts().lostRecords()).isZero();
    take(Datagrams.ipfix(11, 1, sets -> sets.set(TEMPLATE, twoRecords)));
    assertThat(decoder.counts().lostRecords()).isEqualTo(4);
  }

  @Test
  void whatStandsBeforeAFaultIsTaken() {
    take(Datagrams.netFlow5(2, 0, 0).record5("10.0.0.1", "10.0.1.1", 1, UPTIME, UPTIME).ints(0, 0));
    take(new Datagrams().shorts(7, 1));
    take(new Datagrams());
    take(Datagrams.netFlow9(0, 7, sets -> sets.shorts(0, 3)));
    // Templates without bytes, or of variable length where there is none.
    take(Datagrams.netFlow9(1, 7, sets -> sets.set(0, set -> set.shorts(256, 1, 8, 0))));
    take(Datagrams.netFlow9(2, 7, sets -> sets.set(0, set -> set.shorts(256, 1, 8, 0xffff))));
    assertThat(records).hasSize(1);
    assertThat(decoder.counts().malformed()).isEqualTo(6);
  }

  @Test
  void recordsThatEndBeforeTheyStartOrHaveNoAddressesAreKeptOut() {
    take(Datagrams.netFlow5(1, 0, 0).record5("10.0.0.1", "10.0.1.1", 1, UPTIME, UPTIME - 1));
    take(
        Datagrams.netFlow9(
            0,
            7,
            sets ->
                sets.set(0, set -> set.shorts(TEMPLATE, 3, 1, 4, 22, 4, 21, 4))
                    .set(TEMPLATE, set -> set.ints(1, UPTIME, UPTIME))));
    assertThat(records).isEmpty();
    assertThat(decoder.counts().incomplete()).isEqualTo(2);
  }

  @Test
  void templatesAndExportersAreForgottenBeforeTheyFillTheMemory() {
    for (int id = 256; id < 600; id++) {
      int one = id;
      take(Datagrams.netFlow9(id - 256, 7, sets -> sets.set(0, set -> set.shorts(one, 1, 8, 4))));
    }
    take(Datagrams.netFlow9(344, 7, sets -> sets.set(256, set -> set.ints(0))));
    take(Datagrams.netFlow9(345, 7, sets -> sets.set(599, set -> set.ints(0))));
    assertThat(decoder.counts().unknownTemplates()).isOne();
    assertThat(decoder.counts().incomplete()).isOne();
    byte[] data = Datagrams.netFlow9(0, 0, sets -> {});
    for (int address = 0; address < 1_000; address++) {
      decoder.decode(IpAddress.ofIpv4(address), data, data.length);
    }
    take(Datagrams.netFlow9(346, 7, sets -> sets.set(599, set -> set.ints(0))));
    assertThat(decoder.counts().unknownTemplates()).isEqualTo(2);
  }

  private void take(Datagrams datagram) {
    take(datagram.bytes());
  }

  private void take(byte[] datagram) {
    decoder.decode(EXPORTER, datagram, datagram.length);
  }

  private static FlowRecord flow(
      String source, String destination, long start, long end, long bytes) {
    return FlowRecord.of(IpAddress.parse(source), IpAddress.parse(destination), start, end, bytes);
  }
}
