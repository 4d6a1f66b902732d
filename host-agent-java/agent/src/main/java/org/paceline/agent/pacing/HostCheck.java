package org.paceline.agent.pacing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.edt.DepartureProgram;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.posix.Command;
import org.paceline.agent.posix.NativePart;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.CannotRunYet;

/** Finds out, before anything is touched, whether this host can be paced. */
public final class HostCheck {
  private static final int CAP_NET_ADMIN = 12;
  private static final Pattern GSO = Pattern.compile("gso_max_segs (\\d+)");
  private static final Pattern ROUTE_DEVICE = Pattern.compile("\\bdev (\\S+)");

  private HostCheck() {}

  /**
   * The privileges, the programs, and what this program brings along itself.
   *
   * @param kind the only one that will do; empty: the best
   * @throws CannotRun with a way out
   */
  public static void requireMeans(Optional<EnforcerKind> kind) throws IOException {
    if (kind.equals(Optional.of(EnforcerKind.NONE))) {
      return;
    }
    requireNativePart();
    program("ip", "iproute2", "-V");
    if (kind.filter(one -> !one.touchesInterfaces()).isPresent()) {
      return;
    }
    requireQueues();
    program("nft", "nftables", "--version");
  }

  /**
   * The same to divide ports of a switch.
   *
   * @throws CannotRun with a way out
   */
  public static void requireMeansForPorts() throws IOException {
    requireNativePart();
    requireQueues();
  }

  private static void requireQueues() throws IOException {
    String status = Files.readString(Path.of("/proc/self/status"), StandardCharsets.UTF_8);
    Matcher effective = Pattern.compile("CapEff:\\s*([0-9a-f]+)").matcher(status);
    if (!effective.find()
        || (Long.parseUnsignedLong(effective.group(1), 16) >> CAP_NET_ADMIN & 1) == 0) {
      throw new CannotRun(
          "The agent may not change queues. Maybe start it as root (CAP_NET_ADMIN).");
    }
    program("tc", "iproute2", "-V");
  }

  private static void requireNativePart() {
    Optional<String> obstacle = NativePart.obstacle();
    if (obstacle.isPresent()) {
      throw new CannotRun(
          "The agent cannot load its native part: "
              + obstacle.get()
              + ". Maybe name a directory that has room and from which programs may run, with"
              + " JAVA_TOOL_OPTIONS=-Djna.tmpdir=DIRECTORY in the environment.");
    }
  }

  private static void program(String name, String debianPackage, String argument) {
    try {
      if (Command.run(name, argument).ok()) {
        return;
      }
    } catch (IOException e) {
      throw new CannotRun(missing(name, debianPackage) + " (" + e.getMessage() + ")");
    }
    throw new CannotRun(missing(name, debianPackage));
  }

  private static String missing(String name, String debianPackage) {
    return "The program (" + name + ") does not run. Maybe install " + debianPackage + ".";
  }

  /**
   * The interfaces to manage: those named, or all but loopback and the controller's.
   *
   * @param controllerHost empty: there is none
   * @param kind what their queues will be touched by
   * @param adopt whether a queue of somebody else's may be replaced
   */
  public static List<ManagedInterface> interfaces(
      List<String> names,
      Optional<String> controllerHost,
      EnforcerKind kind,
      boolean adopt,
      StateFile state)
      throws IOException {
    List<String> chosen = new ArrayList<>(names);
    if (chosen.isEmpty()) {
      Optional<String> towardsController =
          controllerHost.isPresent() ? deviceTowards(controllerHost.get()) : Optional.empty();
      there()
          .filter(HostCheck::isCandidate)
          .map(NetworkInterface::getName)
          .filter(name -> !Optional.of(name).equals(towardsController))
          .forEach(chosen::add);
      if (chosen.isEmpty()) {
        throw noneLeft(towardsController);
      }
    }
    List<ManagedInterface> managed = new ArrayList<>();
    for (String name : chosen) {
      managed.add(inspect(name, kind, adopt, state));
    }
    return managed;
  }

  private static Stream<NetworkInterface> there() {
    try {
      return NetworkInterface.networkInterfaces();
    } catch (SocketException none) {
      // Java's answer where not even loopback is up.
      return Stream.empty();
    }
  }

  private static CannotRun noneLeft(Optional<String> controllers) {
    if (controllers.isEmpty()) {
      return new CannotRunYet(
          "There is no interface to pace on: none is up besides loopback. Maybe start the network"
              + " first.");
    }
    String text =
        String.format(
            "There is no interface to pace on besides loopback and the controller's (%s). Maybe"
                + " name it: interfaces: [%s].",
            controllers.get(), controllers.get());
    return there().anyMatch(HostCheck::isDown) ? new CannotRunYet(text) : new CannotRun(text);
  }

  /** It may be one that only comes up late. */
  private static boolean isDown(NetworkInterface one) {
    try {
      return !one.isUp();
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean isCandidate(NetworkInterface candidate) {
    try {
      return candidate.isUp()
          && !candidate.isLoopback()
          && !candidate.getName().equals(IngressShaper.DEVICE);
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<String> deviceTowards(String host) throws IOException {
    String address;
    try {
      address = InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      throw new CannotRunYet(
          "The controller's name (" + host + ") cannot be looked up. Maybe write its address.");
    }
    Matcher matcher = ROUTE_DEVICE.matcher(Command.run("ip", "route", "get", address).output());
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static ManagedInterface inspect(
      String name, EnforcerKind kind, boolean adopt, StateFile state) throws IOException {
    NetworkInterface found =
        Optional.ofNullable(NetworkInterface.getByName(name))
            .orElseThrow(
                () ->
                    new CannotRunYet(
                        "There is no interface (" + name + "). Maybe \"ip link\" shows its name."));
    Optional<RootQueue> queue = kind.touchesInterfaces() ? RootQueue.of(name) : Optional.empty();
    if (queue.isPresent()) {
      respect(name, queue.get(), adopt);
    }
    boolean hook = kind == EnforcerKind.EDT && hook(name);
    Optional<StateFile.Found> left = state.found(name);
    Matcher gso = GSO.matcher(Command.run("ip", "-d", "link", "show", "dev", name).output());
    int gsoMaxSegs =
        left.map(StateFile.Found::gsoMaxSegs)
            .orElse(gso.find() ? Integer.parseInt(gso.group(1)) : 65_535);
    return new ManagedInterface(
        name,
        mac(found),
        addresses(found),
        gsoMaxSegs,
        left.map(StateFile.Found::hook).orElse(hook),
        queue.map(RootQueue::arguments).or(() -> left.flatMap(StateFile.Found::queue)));
  }

  private static void respect(String name, RootQueue queue, boolean adopt) throws IOException {
    String whose =
        "The interface ("
            + name
            + ") has a queue discipline of somebody else's ("
            + queue.name()
            + ")";
    if (!adopt) {
      throw new CannotRun(
          whose + ". Maybe remove it, or let the agent replace it with (adopt: true).");
    }
    Optional<String> obstacle = queue.obstacle(name);
    if (obstacle.isPresent()) {
      throw new CannotRun(
          whose
              + " that could not be put back: "
              + obstacle.get()
              + ". Maybe remove it, or leave this interface out of (interfaces).");
    }
  }

  /** Whether programs have a place to see packets already; that place must be free for one more. */
  private static boolean hook(String name) throws IOException {
    String queues = Command.run("tc", "qdisc", "show", "dev", name).output();
    String way = ". Maybe remove it, or pace with (enforcer: htb).";
    if (queues.contains("qdisc ingress ")) {
      throw new CannotRun(
          "The interface ("
              + name
              + ") has an ingress queue of somebody else's, which leaves programs no place"
              + way);
    }
    boolean taken =
        Command.run("tc", "filter", "show", "dev", name, "egress")
            .output()
            .lines()
            .anyMatch(DepartureProgram::isInItsPlace);
    if (taken) {
      throw new CannotRun(
          "The interface ("
              + name
              + ") has an egress filter of somebody else's with preference "
              + DepartureProgram.PREFERENCE
              + ", where the agent's has to be"
              + way);
    }
    return queues.contains("qdisc clsact ");
  }

  /**
   * For what comes in, packets have to come by where they are sorted.
   *
   * @throws CannotRun where a filter of somebody else's is before that
   */
  public static void requireFreeIngress(List<ManagedInterface> interfaces) throws IOException {
    for (ManagedInterface managed : interfaces) {
      if (!Command.run("tc", "filter", "show", "dev", managed.name(), "ingress")
          .output()
          .isBlank()) {
        throw new CannotRun(
            "The interface ("
                + managed.name()
                + ") has an ingress filter of somebody else's, which may lead packets elsewhere."
                + " Maybe remove it, or the rules with (direction: in), or leave this interface out"
                + " of (interfaces).");
      }
    }
  }

  private static String mac(NetworkInterface found) throws IOException {
    byte[] address = Optional.ofNullable(found.getHardwareAddress()).orElse(new byte[0]);
    List<String> parts = new ArrayList<>();
    for (byte b : address) {
      parts.add(String.format("%02x", b));
    }
    return String.join(":", parts);
  }

  private static List<ManagedInterface.InterfaceAddress> addresses(NetworkInterface found) {
    return found.getInterfaceAddresses().stream()
        .map(
            a ->
                new ManagedInterface.InterfaceAddress(
                    ManagedInterface.withoutScope(a.getAddress()), a.getNetworkPrefixLength()))
        .toList();
  }
}
