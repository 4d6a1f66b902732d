package org.paceline.onos.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.Nobody;
import org.paceline.control.model.LinkPorts;
import org.paceline.control.model.NetworkState;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Faults;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.onos.listen.Listening;

/** Two switches with a link between them and a host at the first, as ONOS tells of them. */
final class OnosNetworkTest {
  private static final LinkId BETWEEN = LinkId.of("of:1", "of:2");

  private final List<Device> devices = new ArrayList<>(List.of(device("1"), device("2")));
  private final List<Link> links = new ArrayList<>(List.of(link("1", 2, "2", 2)));
  private final List<Host> hosts =
      new ArrayList<>(
          List.of(
              host(
                  1,
                  Set.of(
                      new HostLocation(DeviceId.deviceId("of:1"), PortNumber.portNumber(1), 0)))));
  private final Map<ConnectPoint, Long> speeds = new HashMap<>();
  private final Map<Object, Config<?>> settings = new HashMap<>();
  private final List<DeviceListener> deviceListeners = new ArrayList<>();
  private final List<NetworkConfigListener> settingsListeners = new ArrayList<>();
  private int changes;

  private final Closers closers = new Closers(new Nobody.NoJournal());
  private final Listening listening = new Listening(new Faults(new Nobody.NoJournal()), closers);
  private final OnosNetwork network =
      new OnosNetwork(new Devices(), new Links(), new Hosts(), new Settings(), () -> changes++);

  OnosNetworkTest() {
    speed("1", 1, 1_000);
    speed("1", 2, 1_000);
    speed("2", 2, 100);
  }

  @Test
  void aLinkIsAsFastAsItsSlowerEnd() {
    assertThat(capacity(BETWEEN)).isEqualTo(DataRate.ofKilobitsPerSecond(100_000));
  }

  @Test
  void aHostIsANodeWithALinkEachWayAndItsAddresses() {
    NetworkState state = network.current();
    String node = state.nodeOf("10.0.0.1").orElseThrow();
    assertThat(state.network().link(LinkId.of(node, "of:1"))).isPresent();
    assertThat(state.network().link(LinkId.of("of:1", node))).isPresent();
    assertThat(state.nodeOf("10.0.0.2")).isEmpty();
  }

  @Test
  void aHostWhoseSwitchHasLeftIsNowhereAndKeepsNobodyElseFromItsPlace() {
    hosts.add(0, host(2, Set.of()));
    NetworkState state = network.current();
    assertThat(state.nodeOf("10.0.0.2")).isEmpty();
    assertThat(state.nodeOf("10.0.0.1")).isPresent();
  }

  @Test
  void aLinkKnowsItsPortsAndTheNameThatAnOperatorGaveItsSwitch() {
    NetworkState state = network.current();
    String host = state.nodeOf("10.0.0.1").orElseThrow();
    assertThat(state.ports().get(BETWEEN))
        .isEqualTo(LinkPorts.of(Optional.of(2L), Optional.of(2L)));
    assertThat(state.ports().get(LinkId.of(host, "of:1")))
        .isEqualTo(LinkPorts.of(Optional.empty(), Optional.of(1L)));
    assertThat(state.names()).containsExactly(Map.entry("of:2", "core"));
  }

  @Test
  void anAddressHasTheInterfaceOfItsHostAndTheAgentsThatAnOperatorNames() {
    assertThat(network.current().interfacesOf("10.0.0.1")).containsExactly("02:00:00:00:00:01");
    assertThat(network.current().agents()).isEmpty();
    HostId host = HostId.hostId("02:00:00:00:00:01/None");
    settings.put(host, configured(new HostSettings(), host, "{\"agents\": [\"srv1\", \"srv2\"]}"));
    network.open(listening);
    settingsListeners.forEach(
        l ->
            l.event(
                new NetworkConfigEvent(
                    NetworkConfigEvent.Type.CONFIG_ADDED, host, HostSettings.class)));
    assertThat(changes).isEqualTo(1);
    assertThat(network.current().agents().get("10.0.0.1")).containsExactly("srv1", "srv2");
  }

  @Test
  void agentsOfAHostAreAListOfNames() {
    HostId host = HostId.hostId("02:00:00:00:00:01/None");
    for (String none : List.of("\"srv1\"", "[]", "[1]", "[\"\"]", "{\"a\": \"srv1\"}")) {
      assertThatThrownBy(
              () -> configured(new HostSettings(), host, "{\"agents\": " + none + "}").isValid())
          .isInstanceOf(InvalidFieldException.class)
          .hasMessageContaining("srv1");
    }
    assertThat(configured(new HostSettings(), host, "{\"agents\": [\"srv1\"]}").isValid()).isTrue();
  }

  @Test
  void whatTheOperatorSaysOfALinkHoldsBeforeItsPorts() {
    configure("{\"capacityKbps\": 4000, \"delayMs\": 7}");
    assertThat(capacity(BETWEEN)).isEqualTo(DataRate.ofKilobitsPerSecond(4_000));
    assertThat(network.current().network().link(BETWEEN).orElseThrow().delay().delay(0))
        .isEqualTo(Latency.ofMillis(7));
  }

  @Test
  void aLinkWithoutAKnownSpeedIsLeftOutAndSaidSo() {
    speed("2", 2, 0);
    NetworkState state = network.current();
    assertThat(state.network().link(BETWEEN)).isEmpty();
    assertThat(state.warnings()).singleElement().asString().contains("of:1").contains("Maybe");
  }

  @Test
  void aSwitchThatIsAwayTakesItsLinksWithIt() {
    devices.remove(1);
    assertThat(network.current().network().nodes()).doesNotContain("of:2");
    assertThat(network.current().network().link(BETWEEN)).isEmpty();
  }

  @Test
  void ofParallelLinksTheWidestIsUsed() {
    links.add(link("1", 3, "2", 3));
    speed("1", 3, 10_000);
    speed("2", 3, 10_000);
    assertThat(capacity(BETWEEN)).isEqualTo(DataRate.ofKilobitsPerSecond(10_000_000));
  }

  @Test
  void thePictureStaysUntilSomethingChangesAndIsThenReadAnew() {
    network.open(listening);
    NetworkState before = network.current();
    assertThat(network.current()).isSameAs(before);
    devices.remove(1);
    deviceListeners.forEach(
        l -> l.event(new DeviceEvent(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, device("2"))));
    assertThat(changes).isEqualTo(1);
    assertThat(network.current().network().nodes()).doesNotContain("of:2");
  }

  @Test
  void whatCameBeforeAnybodyListenedIsSeenAsSoonAsItListens() {
    Device late = devices.remove(1);
    assertThat(network.current().network().nodes()).doesNotContain("of:2");
    devices.add(late);
    network.open(listening);
    assertThat(network.current().network().nodes()).contains("of:2");
    assertThat(changes).as("whoever is told now is not open yet").isZero();
  }

  @Test
  void countersOfPortsChangeNothingAndSettingsOfOthersNeither() {
    network.open(listening);
    deviceListeners.forEach(
        l -> l.event(new DeviceEvent(DeviceEvent.Type.PORT_STATS_UPDATED, device("1"))));
    settingsListeners.forEach(
        l ->
            l.event(
                new NetworkConfigEvent(NetworkConfigEvent.Type.CONFIG_UPDATED, "x", Config.class)));
    assertThat(changes).isZero();
    closers.close();
    assertThat(deviceListeners).isEmpty();
    assertThat(settingsListeners).isEmpty();
  }

  @Test
  void settingsThatMakeNoSenseAreRefusedWithTheReason() {
    assertThatThrownBy(() -> configured("{\"capacityKbps\": 0}").isValid())
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("above 0");
    assertThatThrownBy(() -> configured("{\"capacity\": 5}").isValid())
        .isInstanceOf(InvalidFieldException.class)
        .hasMessageContaining("capacityKbps");
    assertThatThrownBy(() -> configured("{\"delayMs\": [5, 4], \"usageKbps\": [0, 100]}").isValid())
        .isInstanceOf(InvalidFieldException.class);
    assertThat(configured("{\"delayMs\": [4, 5], \"usageKbps\": [0, 100]}").isValid()).isTrue();
  }

  private DataRate capacity(LinkId link) {
    return network.current().network().link(link).orElseThrow().capacity();
  }

  private void speed(String device, int port, long megabits) {
    speeds.put(at(device, port), megabits);
  }

  private void configure(String json) {
    settings.put(LinkKey.linkKey(links.get(0)), configured(json));
  }

  private static LinkSettings configured(String json) {
    return configured(new LinkSettings(), LinkKey.linkKey(link("1", 2, "2", 2)), json);
  }

  private static <S, C extends Config<S>> C configured(C made, S subject, String json) {
    try {
      ObjectNode node = (ObjectNode) new ObjectMapper().readTree(json);
      made.init(subject, LinkSettings.KEY, node, new ObjectMapper(), config -> {});
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Device device(String name) {
    return new DefaultDevice(
        ProviderId.NONE,
        DeviceId.deviceId("of:" + name),
        Device.Type.SWITCH,
        "",
        "",
        "",
        "",
        null,
        name.equals("2")
            ? DefaultAnnotations.builder().set(AnnotationKeys.NAME, "core").build()
            : DefaultAnnotations.EMPTY);
  }

  private static ConnectPoint at(String device, int port) {
    return new ConnectPoint(DeviceId.deviceId("of:" + device), PortNumber.portNumber(port));
  }

  private static Link link(String from, int out, String to, int in) {
    return DefaultLink.builder()
        .providerId(ProviderId.NONE)
        .src(at(from, out))
        .dst(at(to, in))
        .type(Link.Type.DIRECT)
        .state(Link.State.ACTIVE)
        .build();
  }

  private final class Devices extends DeviceServiceAdapter {
    @Override
    public Iterable<Device> getAvailableDevices() {
      return List.copyOf(devices);
    }

    @Override
    public Port getPort(DeviceId id, PortNumber number) {
      return new DefaultPort(
          device("1"),
          number,
          true,
          Port.Type.COPPER,
          speeds.getOrDefault(new ConnectPoint(id, number), 0L));
    }

    @Override
    public Port getPort(ConnectPoint at) {
      return getPort(at.deviceId(), at.port());
    }

    @Override
    public void addListener(DeviceListener listener) {
      deviceListeners.add(listener);
    }

    @Override
    public void removeListener(DeviceListener listener) {
      deviceListeners.remove(listener);
    }
  }

  private final class Links extends LinkServiceAdapter {
    @Override
    public Iterable<Link> getActiveLinks() {
      return List.copyOf(links);
    }
  }

  private final class Hosts extends HostServiceAdapter {
    @Override
    public Iterable<Host> getHosts() {
      return hosts;
    }
  }

  private static Host host(int number, Set<HostLocation> places) {
    String mac = "02:00:00:00:00:0" + number;
    return new DefaultHost(
        ProviderId.NONE,
        HostId.hostId(mac + "/None"),
        MacAddress.valueOf(mac),
        VlanId.NONE,
        places,
        Set.of(IpAddress.valueOf("10.0.0." + number)),
        false);
  }

  private final class Settings extends NetworkConfigServiceAdapter {
    @Override
    public <S, C extends Config<S>> @Nullable C getConfig(S subject, Class<C> type) {
      return type.cast(settings.get(subject));
    }

    @Override
    public void addListener(NetworkConfigListener listener) {
      settingsListeners.add(listener);
    }

    @Override
    public void removeListener(NetworkConfigListener listener) {
      settingsListeners.remove(listener);
    }
  }
}
