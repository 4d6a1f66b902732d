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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
import org.paceline.control.Nobody;
import org.paceline.control.directive.Capabilities;
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
  private static final ConnectPoint DOWN = new ConnectPoint(DEVICE, PortNumber.portNumber(4));
  private static final DeviceId SECOND = DeviceId.deviceId("of:2");
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration UNTIL_METERED = Duration.ofSeconds(20);
  private static final int RATE = 200;

  private final RecordedSwitches switches = new RecordedSwitches(1);
  private final ManualWorker worker = new ManualWorker();
  private final Meters meters = new Meters();
  private final Set<DeviceId> there = new HashSet<>(Set.of(DEVICE));
  private final Set<ConnectPoint> linked = new HashSet<>(Set.of(LINKED));
  private final Set<ConnectPoint> down = new HashSet<>(Set.of(DOWN));
  private final List<String> warned = new ArrayList<>();
  private boolean hasPorts = true;
  private Optional<Integer> tables = Optional.of(254);
  private int changes;
  private final ControllerPackets packets = controller();

  private ControllerPackets controller() {
    return new ControllerPackets(
        OwnRules.of(switches, APP, there::contains),
        new DropMeters(meters, meters.asked, APP, worker, meters::capabilities),
        new EdgePorts(new Devices(), new Links()),
        device -> tables,
        worker,
        new Warnings());
  }

  private final class Devices extends DeviceServiceAdapter {
    @Override
    public Iterable<Device> getAvailableDevices() {
      return there.stream().map(this::device).collect(Collectors.toList());
    }

    private Device device(DeviceId id) {
      return new DefaultDevice(
          ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId(1));
    }

    @Override
    public List<Port> getPorts(DeviceId id) {
      return hasPorts
          ? List.of(
              port(id, 1),
              port(id, 2),
              port(id, 3),
              port(id, 4),
              new DefaultPort(device(id), PortNumber.LOCAL, true))
          : List.of();
    }

    private Port port(DeviceId id, long number) {
      PortNumber port = PortNumber.portNumber(number);
      return new DefaultPort(device(id), port, !down.contains(new ConnectPoint(id, port)));
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
                  .dst(ConnectPoint.deviceConnectPoint("of:9/1"))
                  .type(Link.Type.DIRECT)
                  .build())
          : Set.of();
    }
  }

  /** Of all switches; the answer comes after the order was placed, as a switch's does. */
  private final class Meters extends MeterServiceAdapter {
    final Map<MeterId, MeterRequest> held = new LinkedHashMap<>();
    final List<MeterRequest> ordered = new ArrayList<>();
    final Set<MeterId> underWay = new HashSet<>();
    Optional<MeterFailReason> refusal = Optional.empty();
    Set<Meter.Unit> units = Set.of(Meter.Unit.PKTS_PER_SEC, Meter.Unit.KB_PER_SEC);
    Duration answered = Duration.ofMillis(10);
    int room = Integer.MAX_VALUE;
    Optional<Long> said = Optional.empty();

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

    Capabilities capabilities(DeviceId device) {
      return Capabilities.ofSwitch(device.toString())
          .meters(said)
          .metersAllowed(1_000)
          .rulesAllowed(1_000)
          .build();
    }

    @Override
    public Meter submit(MeterRequest request) {
      ordered.add(request);
      // As ONOS's stores do: the lowest that is free.
      MeterId id =
          LongStream.iterate(1, next -> next + 1)
              .mapToObj(MeterId::meterId)
              .filter(number -> !held.containsKey(number) && underWay.add(number))
              .findFirst()
              .orElseThrow();
      worker.after(answered, () -> answer(request, id));
      return DefaultMeter.builder()
          .forDevice(request.deviceId())
          .withCellId(id)
          .fromApp(APP)
          .withUnit(request.unit())
          .withBands(request.bands())
          .build();
    }

    private void answer(MeterRequest request, MeterId id) {
      underWay.remove(id);
      Optional<MeterFailReason> why =
          refusal
              .or(() -> reason(units.contains(request.unit()), MeterFailReason.UNKNOWN_FLAGS))
              .or(() -> reason(held.size() < room, MeterFailReason.OUT_OF_METERS));
      why.ifPresentOrElse(
          reason -> request.context().orElseThrow().onError(request, reason),
          () -> {
            held.put(id, request);
            request.context().orElseThrow().onSuccess(request);
          });
    }

    private Optional<MeterFailReason> reason(boolean isTaken, MeterFailReason reason) {
      return isTaken ? Optional.empty() : Optional.of(reason);
    }

    @Override
    public void withdraw(MeterRequest request, MeterId id) {
      held.remove(id);
    }

    Set<Long> rates() {
      return held.values().stream()
          .map(request -> request.bands().iterator().next().rate())
          .collect(Collectors.toSet());
    }
  }

  private final class Warnings extends Nobody.NoJournal {
    @Override
    public void warn(String sentence) {
      warned.add(sentence);
    }

    @Override
    public void fault(String sentence, Throwable bug) {
      throw new AssertionError(sentence, bug);
    }
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

  private MeterId meterOf(ConnectPoint port, EtherType type) {
    Set<MeterId> through = toController(port, type).orElseThrow();
    assertThat(through).hasSize(1).isSubsetOf(meters.held.keySet());
    return through.iterator().next();
  }

  /** For questions and for IPv4 at each. */
  private void mustBeMetered(ConnectPoint... ports) {
    Set<MeterId> all = new HashSet<>();
    for (ConnectPoint port : ports) {
      all.add(meterOf(port, EtherType.ARP));
      all.add(meterOf(port, EtherType.IPV4));
      assertThat(toController(port, EtherType.ARP))
          .isNotEqualTo(toController(port, EtherType.IPV4));
    }
    assertThat(all).as("none of them is another's").hasSize(2 * ports.length);
    assertThat(meters.held.keySet()).isEqualTo(all);
  }

  private void mustBeShownWithoutMeters(ConnectPoint... ports) {
    for (ConnectPoint port : ports) {
      assertThat(toController(port, EtherType.ARP)).hasValue(Set.of());
      assertThat(toController(port, EtherType.IPV4)).hasValue(Set.of());
    }
  }

  private static boolean leadsToMeter(FlowRule rule) {
    return !rule.treatment().meters().isEmpty();
  }

  @Test
  void whatComesInByAPortReachesTheControllerThroughMetersOfThatPort() {
    begin();
    assertThat(packets.metered()).containsExactly(DEVICE);
    mustBeMetered(ONE, OTHER);
    assertThat(toController(LINKED, EtherType.ARP)).as("shown by the switch before").isEmpty();
    assertThat(toController(LINKED, EtherType.IPV4)).isEmpty();
    assertThat(meters.rates()).containsExactly((long) RATE);
    assertThat(changes).isEqualTo(1);
    int rules = switches.count();
    changed();
    worker.pass(Duration.ofMinutes(1));
    assertThat(switches.count()).as("nothing is done twice").isEqualTo(rules);
    assertThat(meters.ordered).hasSize(4);
    assertThat(changes).isEqualTo(1);
  }

  @Test
  void theFirstPacketsOfAPortThatComesUpReachTheControllerAndItsMetersFollow() {
    begin();
    mustBeShownWithoutMeters(DOWN, new ConnectPoint(DEVICE, PortNumber.portNumber(77)));
    down.clear();
    changed();
    mustBeMetered(ONE, OTHER, DOWN);
    assertThat(warned).isEmpty();
  }

  @Test
  void aPortThatGoesDownKeepsItsMetersForWhenItIsUp() {
    begin();
    down.add(ONE);
    changed();
    mustBeMetered(ONE, OTHER);
    down.remove(ONE);
    changed();
    mustBeMetered(ONE, OTHER);
    assertThat(meters.ordered).hasSize(4);
  }

  /** ONOS says that a switch is there first, then which ports it has, and these are down before. */
  @Test
  void aSwitchThatIsBackKeepsItsMetersUntilItsPortsAreKnown() {
    begin();
    Set<FlowRule> before = Set.copyOf(switches.rules(DEVICE.toString()));
    there.clear();
    changed();
    for (boolean known : new boolean[] {true, false}) {
      hasPorts = known;
      down.addAll(Set.of(ONE, OTHER, LINKED));
      tables = Optional.empty();
      there.add(DEVICE);
      changed();
      assertThat(Set.copyOf(switches.rules(DEVICE.toString()))).isEqualTo(before);
      hasPorts = true;
      down.removeAll(Set.of(ONE, OTHER, LINKED));
      tables = Optional.of(254);
      changed();
      mustBeMetered(ONE, OTHER);
    }
    assertThat(meters.ordered).hasSize(4);
    assertThat(changes).isEqualTo(1);
  }

  @Test
  void aSwitchWithTooFewTablesIsLeftAloneAndThatIsSaidOnce() {
    tables = Optional.of(ControllerTable.TABLE);
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
    switches.refuseNew(rule -> rule.tableId() == ControllerTable.TABLE && !isOfLink(rule));
    begin();
    assertThat(meters.held).isEmpty();
    assertThat(packets.metered()).isEmpty();
    assertThat(warned).hasSize(1);
    switches.acceptEverywhere();
    worker.pass(Duration.ofMinutes(2));
    mustBeMetered(ONE, OTHER);
  }

  private static boolean isOfLink(FlowRule rule) {
    return rule.selector()
        .equals(DefaultTrafficSelector.builder().matchInPort(LINKED.port()).build());
  }

  @Test
  void aSwitchThatRefusesRulesWithMetersShowsAllAndNothingElseIsWrittenAnewForThat() {
    AtomicInteger refused = new AtomicInteger();
    switches.refuseNew(rule -> leadsToMeter(rule) && refused.incrementAndGet() > 0);
    begin();
    assertThat(packets.metered()).containsExactly(DEVICE);
    mustBeShownWithoutMeters(ONE, OTHER);
    assertThat(meters.held).as("they are for others").isEmpty();
    worker.pass(Duration.ofHours(8));
    mustBeShownWithoutMeters(ONE, OTHER);
    assertThat(changes).as("as forwarding would be written anew").isEqualTo(1);
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("of:1", "set controllerPacketsPerPort to 0");
    assertThat(refused.get()).as("of four rules, in pauses that grow").isLessThan(4 * 25);
    switches.acceptEverywhere();
    packets.returned(DEVICE);
    worker.pass(SOON);
    mustBeMetered(ONE, OTHER);
    assertThat(toController(LINKED, EtherType.ARP)).isEmpty();
    assertThat(changes).isEqualTo(1);
  }

  /** ONOS refuses in its name what it is told while it goes; it is known 10 s after it is back. */
  @Test
  void whatIsRefusedWhileASwitchGoesAndComesIsNoRefusalOfIts() {
    begin();
    switches.refuseNew(rule -> true);
    meters.refusal = Optional.of(MeterFailReason.UNKNOWN_DEVICE);
    down.clear();
    linked.add(ONE);
    changed();
    switches.acceptEverywhere();
    meters.refusal = Optional.empty();
    worker.pass(Duration.ofSeconds(8));
    packets.returned(DEVICE);
    worker.pass(SOON);
    mustBeMetered(OTHER, DOWN);
    assertThat(toController(ONE, EtherType.ARP)).isEmpty();
    worker.pass(Duration.ofMinutes(10));
    assertThat(warned).isEmpty();
  }

  @Test
  void aSwitchWithoutMetersShowsTheControllerAllAndSaysSoOnce() {
    meters.refusal = Optional.of(MeterFailReason.OUT_OF_METERS);
    begin();
    worker.pass(Duration.ofHours(1));
    mustBeShownWithoutMeters(ONE, OTHER);
    assertThat(toController(LINKED, EtherType.ARP)).isEmpty();
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("of:1", "OUT_OF_METERS", "is not metered");
    assertThat(meters.ordered).as("four, once a minute").hasSizeLessThan(4 * 70);
    meters.refusal = Optional.empty();
    worker.pass(Duration.ofMinutes(1));
    mustBeMetered(ONE, OTHER);
  }

  @Test
  void ofEachSwitchWithoutMetersThatIsSaid() {
    there.add(SECOND);
    meters.refusal = Optional.of(MeterFailReason.OUT_OF_METERS);
    begin();
    worker.pass(Duration.ofMinutes(5));
    assertThat(warned).hasSize(2);
    assertThat(warned).anyMatch(said -> said.contains("(of:1)"));
    assertThat(warned).anyMatch(said -> said.contains("(of:2)"));
  }

  @Test
  void aSwitchWhoseMetersCountNoPacketsGetsMetersOfKilobits() {
    meters.units = Set.of(Meter.Unit.KB_PER_SEC);
    begin();
    mustBeMetered(ONE, OTHER);
    assertThat(meters.rates()).containsExactly((long) RATE);
    assertThat(warned).isEmpty();
  }

  @Test
  void metersThatAreRefusedForAnotherReasonAreNotOrderedInKilobits() {
    meters.refusal = Optional.of(MeterFailReason.BAD_RATE);
    begin();
    assertThat(meters.ordered)
        .isNotEmpty()
        .allMatch(request -> request.unit() == Meter.Unit.PKTS_PER_SEC);
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("BAD_RATE");
  }

  @Test
  void portsHaveHalfOfTheMetersThatASwitchSaysToHave() {
    meters.said = Optional.of(6L);
    begin();
    worker.pass(Duration.ofMinutes(5));
    assertThat(meters.held).hasSize(3);
    assertThat(meters.ordered).as("the others are not even asked for").hasSize(3);
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("of:1", "(3) of its (6) meters");
    assertThat(meterOf(ONE, EtherType.ARP)).isNotEqualTo(meterOf(OTHER, EtherType.ARP));
    assertThat(meterOf(OTHER, EtherType.IPV4)).isEqualTo(meterOf(OTHER, EtherType.ARP));
    linked.add(OTHER);
    changed();
    mustBeMetered(ONE);
    linked.remove(OTHER);
    worker.pass(Duration.ofMinutes(2));
    assertThat(meters.held).hasSize(3);
  }

  @Test
  void forTheQuestionsOfAPortThatComesUpLaterIpv4OfAnotherGivesWay() {
    meters.said = Optional.of(8L);
    begin();
    mustBeMetered(ONE, OTHER);
    down.clear();
    changed();
    worker.pass(Duration.ofMinutes(2));
    assertThat(meters.held).hasSize(4);
    Set<MeterId> ofQuestions =
        Stream.of(ONE, OTHER, DOWN)
            .map(port -> meterOf(port, EtherType.ARP))
            .collect(Collectors.toSet());
    assertThat(ofQuestions).hasSize(3);
    int ordered = meters.ordered.size();
    worker.pass(Duration.ofMinutes(10));
    assertThat(meters.ordered).as("then it stays so").hasSize(ordered);
  }

  /** Its number may be another's by then. */
  @Test
  void aMeterThatIsGoneWithoutATraceIsMadeAgainOnce() {
    begin();
    meters.held.clear();
    worker.pass(Duration.ofMinutes(1));
    mustBeMetered(ONE, OTHER);
    int ordered = meters.ordered.size();
    worker.pass(Duration.ofMinutes(5));
    assertThat(meters.ordered).hasSize(ordered);
    mustBeMetered(ONE, OTHER);
  }

  @Test
  void anAnswerThatTakesLongIsWaitedFor() {
    meters.answered = Duration.ofSeconds(9);
    packets.open(RATE);
    changed();
    worker.pass(Duration.ofSeconds(60));
    mustBeMetered(ONE, OTHER);
    assertThat(meters.ordered).hasSize(4);
  }

  /** A switch is asked again whether it has one after 10 s, so that this takes two orders. */
  @Test
  void anOrderWithoutAnAnswerIsNotPlacedBesideTheNextOne() {
    meters.answered = Duration.ofMinutes(5);
    packets.open(RATE);
    changed();
    worker.pass(UNTIL_METERED.plus(Duration.ofSeconds(17)));
    assertThat(meters.ordered).hasSize(2 * 4);
  }

  @Test
  void metersThatASwitchHasLostAreMadeAgain() {
    begin();
    there.clear();
    changed();
    assertThat(meters.held).as("it may come back with all it had").hasSize(4);
    assertThat(warned).isEmpty();
    meters.held.clear();
    there.add(DEVICE);
    changed();
    worker.pass(Duration.ofMinutes(1));
    mustBeMetered(ONE, OTHER);
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
    mustBeMetered(ONE, OTHER);
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
    mustBeMetered(ONE, OTHER, LINKED);
    linked.add(LINKED);
    changed();
    mustBeMetered(ONE, OTHER);
    assertThat(toController(LINKED, EtherType.ARP)).isEmpty();
  }

  @Test
  void anotherRateIsThatOfOtherMeters() {
    begin();
    packets.allow(RATE + 1);
    worker.pass(SOON);
    assertThat(meters.rates()).containsExactly(RATE + 1L);
    mustBeMetered(ONE, OTHER);
    assertThat(warned).isEmpty();
  }

  @Test
  void anotherRateFindsItsWayToASwitchWithoutRoomForOneMeterMore() {
    meters.room = 4;
    begin();
    mustBeMetered(ONE, OTHER);
    packets.allow(RATE + 1);
    worker.pass(Duration.ofSeconds(10));
    assertThat(meters.rates()).containsExactly(RATE + 1L);
    mustBeMetered(ONE, OTHER);
  }

  /** As hosts' questions do until default forwarding has heard of it. */
  @Test
  void whereNothingIsToBeMeteredWhatStillGoesToTheTableReachesTheController() {
    begin();
    FlowRule question =
        TableRule.of(
            APP,
            DEVICE,
            0,
            DestinationRules.ARP_PRIORITY,
            DefaultTrafficSelector.builder().matchEthType(EtherType.ARP.ethType().toShort()),
            ControllerTable.show(DefaultTrafficTreatment.builder(), true));
    switches.applyFlowRules(question);
    packets.allow(0);
    worker.pass(SOON);
    assertThat(packets.metered()).isEmpty();
    assertThat(changes).isEqualTo(2);
    assertThat(meters.held).isEmpty();
    assertThat(toController(ONE, EtherType.ARP)).hasValue(Set.of());
    switches.removeFlowRules(question);
    worker.pass(Duration.ofSeconds(20));
    assertThat(switches.count()).isZero();
    packets.allow(RATE);
    worker.pass(Duration.ofSeconds(40));
    mustBeMetered(ONE, OTHER);
  }

  @Test
  void whoIsToBeMeteredAgainSoonKeepsTheRules() {
    begin();
    packets.allow(0);
    worker.pass(SOON);
    packets.allow(RATE);
    worker.pass(Duration.ofMinutes(1));
    mustBeMetered(ONE, OTHER);
    assertThat(packets.metered()).containsExactly(DEVICE);
  }

  @Test
  void whatAControllerBeforeThisOneLeftIsTakenOver() {
    begin();
    Set<FlowRule> before = new HashSet<>(switches.rules(DEVICE.toString()));
    packets.close();
    tables = Optional.of(1);
    ControllerPackets next = controller();
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
    mustBeMetered(ONE, OTHER);
  }
}
