package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.packet.EthType.EtherType;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.meter.DefaultMeter;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterServiceAdapter;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.ManualWorker;
import org.paceline.control.port.Journal;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.onos.flow.OwnRules;
import org.paceline.onos.flow.RecordedSwitches;
import org.paceline.onos.meter.DropMeters;
import org.paceline.onos.meter.MeterConfigs;
import org.paceline.onos.tables.TableRule;

final class ControllerPacketsTest {
  private static final ApplicationId APP = new DefaultApplicationId(1, "test");
  private static final DeviceId DEVICE = DeviceId.deviceId("of:1");
  private static final ConnectPoint ONE = new ConnectPoint(DEVICE, PortNumber.portNumber(1));
  private static final ConnectPoint OTHER = new ConnectPoint(DEVICE, PortNumber.portNumber(2));
  private static final ConnectPoint LINKED = new ConnectPoint(DEVICE, PortNumber.portNumber(3));
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration UNTIL_METERED = Duration.ofSeconds(20);
  private static final int RATE = 200;

  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final Meters meters = new Meters();
  private final ManualWorker worker = new ManualWorker();
  private final Set<ConnectPoint> linked = new HashSet<>(Set.of(LINKED));
  private final List<String> warned = new ArrayList<>();
  private boolean isThere = true;
  private int tables = 254;
  private int changes;
  private final ControllerPackets packets =
      new ControllerPackets(
          OwnRules.of(switches, APP, device -> isThere),
          new DropMeters(meters, meters.asked, APP, worker),
          new EdgePorts(new Devices(), new Links()),
          device -> Optional.of(tables),
          worker,
          new Warnings());

  private final class Devices extends DeviceServiceAdapter {
    private final Device device =
        new DefaultDevice(
            ProviderId.NONE, DEVICE, Device.Type.SWITCH, "", "", "", "", new ChassisId(1));

    @Override
    public Iterable<Device> getAvailableDevices() {
      return isThere ? List.of(device) : List.of();
    }

    @Override
    public List<Port> getPorts(DeviceId id) {
      return List.of(port(1), port(2), port(3), new DefaultPort(device, PortNumber.LOCAL, true));
    }

    private Port port(long number) {
      return new DefaultPort(device, PortNumber.portNumber(number), true);
    }
  }

  private final class Links extends LinkServiceAdapter {
    @Override
    public Set<Link> getLinks(ConnectPoint at) {
      return linked.contains(at)
          ? Set.of(
              DefaultLink.builder()
                  .providerId(ProviderId.NONE)
                  .src(at)
                  .dst(ConnectPoint.deviceConnectPoint("of:2/1"))
                  .type(Link.Type.DIRECT)
                  .build())
          : Set.of();
    }
  }

  /** Of one switch; confirms at once. */
  private static final class Meters extends MeterServiceAdapter {
    final Map<MeterId, MeterRequest> held = new LinkedHashMap<>();
    Optional<MeterFailReason> refusal = Optional.empty();
    Set<Meter.Unit> units = Set.of(Meter.Unit.PKTS_PER_SEC, Meter.Unit.KB_PER_SEC);
    private int made;

    final MeterConfigs asked =
        new MeterConfigs() {
          @Override
          public Optional<CompletableFuture<Map<Long, Config>>> ask(DeviceId device) {
            return Optional.of(
                CompletableFuture.completedFuture(
                    held.keySet().stream()
                        .collect(Collectors.toMap(MeterId::id, id -> Config.other("")))));
          }

          @Override
          public Optional<CompletableFuture<Boolean>> change(
              DeviceId device, long meter, Config to) {
            return Optional.empty();
          }

          @Override
          public Optional<CompletableFuture<Map<Long, MeterCount>>> count(DeviceId device) {
            return Optional.empty();
          }
        };

    @Override
    public Meter submit(MeterRequest request) {
      MeterId id = MeterId.meterId(++made);
      Optional<MeterFailReason> why =
          refusal.or(
              () ->
                  units.contains(request.unit())
                      ? Optional.empty()
                      : Optional.of(MeterFailReason.UNKNOWN_FLAGS));
      why.ifPresentOrElse(
          reason -> request.context().orElseThrow().onError(request, reason),
          () -> {
            held.put(id, request);
            request.context().orElseThrow().onSuccess(request);
          });
      return DefaultMeter.builder()
          .forDevice(request.deviceId())
          .withCellId(id)
          .fromApp(APP)
          .withUnit(request.unit())
          .withBands(request.bands())
          .build();
    }

    @Override
    public void withdraw(MeterRequest request, MeterId id) {
      held.remove(id);
    }

    List<Long> rates() {
      return held.values().stream()
          .map(request -> request.bands().iterator().next().rate())
          .collect(Collectors.toList());
    }
  }

  private final class Warnings implements Journal {
    @Override
    public void note(String sentence) {}

    @Override
    public void warn(String sentence) {
      warned.add(sentence);
    }

    @Override
    public void fault(String sentence, Throwable bug) {
      throw new AssertionError(sentence, bug);
    }

    @Override
    public void planned(long version, String summary, String difference) {}
  }

  @BeforeEach
  void tells() {
    packets.tell(() -> changes++);
  }

  private void begin() {
    packets.open(RATE);
    changed();
    worker.pass(UNTIL_METERED);
  }

  private void changed() {
    packets.networkChanged();
    worker.pass(SOON);
  }

  /** What a packet goes through on its way to the controller; none where it does not get there. */
  private Optional<Set<MeterId>> toController(ConnectPoint by, EtherType type) {
    Set<Criterion> packet =
        Set.of(Criteria.matchInPort(by.port()), Criteria.matchEthType(type.ethType().toShort()));
    Optional<FlowRule> rule = taking(0, packet);
    while (rule.isPresent() && rule.get().treatment().tableTransition() != null) {
      rule = taking(rule.get().treatment().tableTransition().tableId(), packet);
    }
    return rule.filter(
            last ->
                last.treatment()
                    .allInstructions()
                    .contains(Instructions.createOutput(PortNumber.CONTROLLER)))
        .map(
            last ->
                last.treatment().meters().stream()
                    .map(Instructions.MeterInstruction::meterId)
                    .collect(Collectors.toSet()));
  }

  private Optional<FlowRule> taking(int table, Set<Criterion> packet) {
    return switches.rules(DEVICE.toString()).stream()
        .filter(rule -> rule.tableId() == table)
        .filter(rule -> packet.containsAll(rule.selector().criteria()))
        .max(Comparator.comparingInt(FlowRule::priority));
  }

  private MeterId meterOf(ConnectPoint port) {
    Set<MeterId> through = toController(port, EtherType.ARP).orElseThrow();
    assertThat(through).hasSize(1).isSubsetOf(meters.held.keySet());
    return through.iterator().next();
  }

  @Test
  void whatComesInByAPortReachesTheControllerThroughTheMeterOfThatPort() {
    begin();
    assertThat(packets.metered()).containsExactly(DEVICE);
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
    assertThat(toController(ONE, EtherType.IPV4)).hasValue(Set.of(meterOf(ONE)));
    assertThat(toController(LINKED, EtherType.ARP)).as("shown by the switch before").isEmpty();
    assertThat(meters.rates()).containsExactly((long) RATE, (long) RATE);
    assertThat(changes).isEqualTo(1);
    int rules = switches.count();
    changed();
    worker.pass(Duration.ofMinutes(1));
    assertThat(switches.count()).as("nothing is done twice").isEqualTo(rules);
    assertThat(meters.held).hasSize(2);
    assertThat(changes).isEqualTo(1);
  }

  @Test
  void aSwitchWithTooFewTablesIsLeftAloneAndThatIsSaidOnce() {
    tables = ControllerTable.TABLE;
    begin();
    changed();
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("of:1", "(6) tables");
    assertThat(switches.count()).isZero();
    assertThat(meters.held).isEmpty();
    assertThat(packets.metered()).isEmpty();
  }

  @Test
  void aSwitchThatRefusesTheRulesHasNoneOfThemAndIsAskedAgain() {
    switches.refuseNew(rule -> rule.tableId() == ControllerTable.TABLE);
    begin();
    assertThat(switches.count()).isZero();
    assertThat(meters.held).isEmpty();
    assertThat(packets.metered()).isEmpty();
    assertThat(warned).hasSize(1);
    switches.acceptEverywhere();
    worker.pass(Duration.ofMinutes(2));
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
  }

  @Test
  void aSwitchWithoutMetersShowsTheControllerAllAndSaysSoOnce() {
    meters.refusal = Optional.of(MeterFailReason.OUT_OF_METERS);
    begin();
    worker.pass(Duration.ofMinutes(1));
    assertThat(toController(ONE, EtherType.ARP)).hasValue(Set.of());
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("of:1", "OUT_OF_METERS", "is not metered");
    meters.refusal = Optional.empty();
    worker.pass(Duration.ofMinutes(1));
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
  }

  @Test
  void aSwitchWhoseMetersCountNoPacketsGetsMetersOfKilobits() {
    meters.units = Set.of(Meter.Unit.KB_PER_SEC);
    begin();
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
    assertThat(meters.rates()).containsExactly((long) RATE, (long) RATE);
    assertThat(warned).isEmpty();
  }

  @Test
  void metersThatASwitchHasLostAreMadeAgain() {
    begin();
    isThere = false;
    changed();
    assertThat(meters.held).as("it may come back with all it had").hasSize(2);
    assertThat(warned).isEmpty();
    meters.held.clear();
    isThere = true;
    changed();
    worker.pass(Duration.ofMinutes(1));
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
    assertThat(meters.held).hasSize(2);
  }

  @Test
  void whatTheSwitchDidNotHearIsWrittenAgain() {
    begin();
    Set<FlowRule> all = Set.copyOf(switches.rules(DEVICE.toString()));
    Set<FlowRule> lost =
        all.stream()
            .filter(rule -> rule.tableId() == ControllerTable.TABLE)
            .collect(Collectors.toSet());
    assertThat(packets.wanted(DEVICE)).containsExactlyInAnyOrderElementsOf(all);
    lost.forEach(switches::forget);
    assertThat(toController(ONE, EtherType.ARP)).isEmpty();
    packets.writeAgain(DEVICE, lost);
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
    assertThat(packets.metered()).containsExactly(DEVICE);
  }

  @Test
  void aSwitchWithLinksOnlyShowsTheControllerNothingOfWhatCrossesIt() {
    linked.addAll(Set.of(ONE, OTHER));
    begin();
    assertThat(packets.metered()).containsExactly(DEVICE);
    assertThat(toController(ONE, EtherType.ARP)).isEmpty();
    assertThat(meters.held).isEmpty();
  }

  @Test
  void aPortThatTurnsOutToBeALinkNeedsNoMeter() {
    linked.clear();
    begin();
    assertThat(meters.held).hasSize(3);
    linked.add(LINKED);
    changed();
    assertThat(meters.held).hasSize(2);
    assertThat(toController(LINKED, EtherType.ARP)).isEmpty();
  }

  @Test
  void anotherRateIsThatOfOtherMetersAndNoneMeansNothingOfAll() {
    begin();
    packets.allow(RATE + 1);
    worker.pass(SOON);
    assertThat(meters.rates()).containsExactly(RATE + 1L, RATE + 1L);
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
    packets.allow(0);
    worker.pass(SOON);
    assertThat(meters.held).isEmpty();
    assertThat(switches.count()).isZero();
    assertThat(packets.metered()).isEmpty();
  }

  @Test
  void whatAControllerBeforeThisOneLeftIsTakenOver() {
    begin();
    Set<FlowRule> before = new HashSet<>(switches.rules(DEVICE.toString()));
    packets.close();
    tables = 1;
    ControllerPackets next =
        new ControllerPackets(
            OwnRules.of(switches, APP, device -> true),
            new DropMeters(meters, meters.asked, APP, worker),
            new EdgePorts(new Devices(), new Links()),
            device -> Optional.of(tables),
            worker,
            new Warnings());
    assertThat(before).isNotEmpty();
    next.open(RATE);
    next.networkChanged();
    worker.pass(SOON);
    assertThat(switches.count()).as("which may be other rules by then").isZero();
  }

  /** Hosts' questions had the priority that now leads all questions to the meters. */
  @Test
  void questionsAsAVersionBeforeThisOneHadThemAreTakenAway() {
    packets.open(RATE);
    changed();
    FlowRule before =
        TableRule.of(
            APP,
            DEVICE,
            0,
            PacketPriority.CONTROL.priorityValue() + 1,
            DefaultTrafficSelector.builder()
                .matchEthType(EtherType.ARP.ethType().toShort())
                .matchEthDst(MacAddress.valueOf("02:00:00:00:00:01")),
            DefaultTrafficTreatment.builder().setOutput(ONE.port()).punt());
    // ONOS finds it when it has asked the switch what it holds.
    switches.applyFlowRules(before);
    worker.pass(UNTIL_METERED);
    assertThat(switches.rules(DEVICE.toString())).isNotEmpty().doesNotContain(before);
    assertThat(meterOf(ONE)).isNotEqualTo(meterOf(OTHER));
  }
}
