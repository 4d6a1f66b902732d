package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.provider.ProviderId;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.Transport;
import org.paceline.intents.network.Path;

/**
 * Switches of:1 to of:5, each linked to each by the port of the other's number, host a at the first
 * and host b at the last.
 */
public final class Mesh {
  static final int SWITCHES = 5;
  static final int HOST_PORT = 9;
  private static final String A = "00:00:00:00:00:0A/None";
  private static final String B = "00:00:00:00:00:0B/None";

  private Mesh() {}

  public static NextHops nextHops() {
    return nextHops(() -> true);
  }

  /**
   * @param inSight whether the controller sees its links and hosts
   */
  public static NextHops nextHops(BooleanSupplier inSight) {
    return nextHops(inSight, () -> HOST_PORT);
  }

  /**
   * @param hostPort where each host is at its switch
   */
  static NextHops nextHops(BooleanSupplier inSight, IntSupplier hostPort) {
    return new NextHops(new Links(inSight), new Hosts(inSight, hostPort));
  }

  /** One that lets through as many kbit/s as its number. */
  static PassedMeter meter(int number) {
    return PassedMeter.of(MeterId.meterId(number), number);
  }

  /** The path from a to b over these switches. */
  public static Path over(int... switches) {
    List<String> nodes = new ArrayList<>(List.of(A));
    IntStream.of(switches).forEach(s -> nodes.add(device(s)));
    nodes.add(B);
    return Path.of(nodes);
  }

  static String device(int number) {
    return String.format("of:%016x", number);
  }

  private static PortNumber port(DeviceId switchBehind) {
    return PortNumber.portNumber(number(switchBehind.toString()));
  }

  /** Of the switches that a path crosses, from the sender's on. */
  static List<Integer> numbers(Path path) {
    return path.nodes().stream()
        .filter(NextHops::isSwitch)
        .map(Mesh::number)
        .collect(Collectors.toUnmodifiableList());
  }

  private static int number(String device) {
    return Integer.parseInt(device.substring(device.indexOf(':') + 1), 16);
  }

  /** Each switch reaches the others by the port of their number, and b by port 9. */
  static Optional<Integer> switchBehind(PortNumber port) {
    return port.toLong() <= SWITCHES ? Optional.of((int) port.toLong()) : Optional.empty();
  }

  public static Conversation conversation(String id, int port) {
    return conversation(id, port, "10.0.0.2");
  }

  static Conversation conversation(String id, int port, String to) {
    return Conversation.builder()
        .id(ConversationId.of("h", id))
        .localAddress("10.0.0.1")
        .remoteAddress(to)
        .transport(Transport.UDP)
        .localPort(port)
        .enforcement(Enforcement.FIRST_HOP)
        .build();
  }

  private static final class Links extends LinkServiceAdapter {
    private final BooleanSupplier inSight;

    Links(BooleanSupplier inSight) {
      this.inSight = inSight;
    }

    @Override
    public Set<Link> getDeviceEgressLinks(DeviceId device) {
      Set<Link> links = new HashSet<>();
      for (int to = 1; inSight.getAsBoolean() && to <= SWITCHES; to++) {
        if (!device(to).equals(device.toString())) {
          links.add(
              DefaultLink.builder()
                  .providerId(ProviderId.NONE)
                  .src(new ConnectPoint(device, PortNumber.portNumber(to)))
                  .dst(new ConnectPoint(DeviceId.deviceId(device(to)), port(device)))
                  .type(Link.Type.DIRECT)
                  .state(Link.State.ACTIVE)
                  .build());
        }
      }
      return links;
    }
  }

  private static final class Hosts extends HostServiceAdapter {
    private final BooleanSupplier inSight;
    private final IntSupplier port;

    Hosts(BooleanSupplier inSight, IntSupplier port) {
      this.inSight = inSight;
      this.port = port;
    }

    @Override
    public @Nullable Host getHost(HostId id) {
      if (!inSight.getAsBoolean()) {
        return null;
      }
      int at = id.toString().equals(A) ? 1 : SWITCHES;
      return new DefaultHost(
          ProviderId.NONE,
          id,
          MacAddress.valueOf(id.mac().toString()),
          VlanId.NONE,
          new HostLocation(
              DeviceId.deviceId(device(at)), PortNumber.portNumber(port.getAsInt()), 0),
          Set.of());
    }
  }

  static List<Path> allPaths() {
    List<Path> paths = new ArrayList<>();
    extend(new ArrayList<>(List.of(1)), paths);
    return paths;
  }

  private static void extend(List<Integer> way, List<Path> paths) {
    if (way.get(way.size() - 1) == SWITCHES) {
      paths.add(over(way.stream().mapToInt(Integer::intValue).toArray()));
      return;
    }
    for (int next :
        IntStream.rangeClosed(2, SWITCHES)
            .filter(n -> !way.contains(n))
            .boxed()
            .collect(Collectors.toList())) {
      way.add(next);
      extend(way, paths);
      way.remove(way.size() - 1);
    }
  }
}
