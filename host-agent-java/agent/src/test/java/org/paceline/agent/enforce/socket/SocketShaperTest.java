package org.paceline.agent.enforce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.pacing.StateFile;
import org.paceline.agent.sockets.SocketHolders;
import org.paceline.agent.sockets.TcpInfoReader;
import org.paceline.agent.sockets.TcpSocket;

/** Real sockets on loopback; their holder is this process, which any process may reach. */
class SocketShaperTest {
  private static final String DEVICE = "lo";
  private static final long RATE = 8_000_000;

  private StateFile state;
  private TcpInfoReader kernel;
  private SocketShaper rates;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "Skipped: only Linux's kernel can be told.");
    state = new StateFile(directory.resolve("x.state"), directory.resolve("x.lock"));
    kernel = TcpInfoReader.open();
    rates = begun(Optional.empty());
  }

  private SocketShaper begun(Optional<InheritedState> inherited) throws IOException {
    SocketShaper begun = new SocketShaper(state.sockets());
    begun.begin(List.of(DEVICE), new RuleSet(List.of(), false), inherited);
    return begun;
  }

  @AfterEach
  void end() throws Exception {
    rates.close();
    kernel.close();
  }

  @Test
  void socketsShareTheRateAndGetBackWhatTheyHad() throws Exception {
    try (Connection one = new Connection();
        Connection two = new Connection()) {
      apply(Map.of(1, RATE));
      put(one, 1);
      long alone = one.limit();
      put(two, 1);

      // Half of what one had, but for whole bytes.
      assertThat(one.limit()).isBetween(alone / 2 - 1, alone / 2);
      assertThat(two.limit()).isEqualTo(one.limit());
      assertThat(installed(1)).isEqualTo(RATE);

      two.close();
      take(two);
      assertThat(one.limit()).isEqualTo(alone);
      apply(Map.of());
      assertThat(one.limit()).isEqualTo(TcpSocket.ANY_RATE);
    }
    rates.close();
    assertThat(state.sockets()).doesNotExist();
    rates = begun(Optional.empty());
  }

  @Test
  void whatAnApplicationWantsLessIsLess() throws Exception {
    try (Connection modest = new Connection()) {
      modest.wants(10_000);
      apply(Map.of(1, RATE));
      put(modest, 1);
      assertThat(modest.limit()).isEqualTo(10_000);

      // It may ask for another rate at any time.
      modest.wants(20_000_000);
      assertThat(installed(1)).isZero();
      apply(Map.of(1, RATE));
      assertThat(modest.limit()).isBetween(900_000L, RATE / 8);
      assertThat(installed(1)).isEqualTo(RATE);

      take(modest);
      assertThat(modest.limit()).isEqualTo(20_000_000);
    }
  }

  @Test
  void whatAnApplicationChangesBetweenReadingsIsItsOwn() throws Exception {
    try (Connection free = new Connection();
        Connection modest = new Connection();
        Connection gone = new Connection()) {
      apply(Map.of(1, RATE));
      put(free, 1);
      put(modest, 1);
      put(gone, 1);

      modest.wants(10_000);
      gone.close();
      // Nobody has read since, so the rates that they are told are divided by three.
      ClassChanges changes = between(Map.of(1, RATE), Map.of(1, 2 * RATE));
      assertThat(rates.apply(DEVICE, changes)).isEmpty();
      assertThat(modest.limit()).isEqualTo(10_000);
      assertThat(rates.some(DEVICE, List.of(1)))
          .hasEntrySatisfying(1, one -> assertThat(one.rateBitsPerSecond()).isEqualTo(2 * RATE));
      take(gone);
      assertThat(free.limit()).isBetween(RATE / 10, RATE / 8);

      take(modest);
      assertThat(modest.limit()).isEqualTo(10_000);
    }
  }

  @Test
  void aSocketThatIsNamedAnewKeepsWhatIsItsOwn() throws Exception {
    try (Connection moving = new Connection()) {
      moving.wants(30_000_000);
      apply(Map.of(1, RATE, 2, RATE / 4));
      put(moving, 1);
      long first = moving.limit();
      rates.classify(Map.of(moving.key(), 2), Set.of(moving.key()), List.of());
      assertThat(moving.limit()).isBetween(first / 4 - 1, first / 4 + 1);

      rates.close();
      assertThat(moving.limit()).isEqualTo(30_000_000);
      rates = begun(Optional.empty());
    }
  }

  @Test
  void theNextOneGoesOnWithThem() throws Exception {
    try (Connection kept = new Connection()) {
      apply(Map.of(5, RATE));
      put(kept, 5);
      long limit = kept.limit();

      ManagedInterface managed =
          new ManagedInterface(DEVICE, "", List.of(), 1, false, Optional.empty());
      // As if killed: what it has written stays.
      InheritedState left = SocketShaper.left(List.of(managed), state.sockets()).orElseThrow();
      assertThat(left.place(DEVICE, kept.key())).hasValue(new InheritedState.Place(5, RATE));
      SocketShaper next = begun(Optional.of(left));
      assertThat(installed(next, 5)).isEqualTo(RATE);
      assertThat(kept.limit()).isEqualTo(limit);
      next.close();
      assertThat(kept.limit()).isEqualTo(TcpSocket.ANY_RATE);
      rates = begun(Optional.empty());
    }
  }

  @Test
  void whatIsAcceptedLaterIsToldAtTheNextLook() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort())) {
      Flow flow =
          new Flow(
              Transport.TCP,
              client.getInetAddress(),
              client.getPort(),
              client.getLocalAddress(),
              client.getLocalPort());
      apply(Map.of(1, RATE));
      rates.classify(Map.of(ClassKey.of(flow, RuleSet.Coverage.SOCKET), 1), List.of(), List.of());
      assertThat(shown(flow).greatestRate()).as("nobody's yet").isEqualTo(TcpSocket.ANY_RATE);

      try (Socket accepted = server.accept()) {
        rates.classify(Map.of(), List.of(), List.of());
        assertThat(shown(flow).greatestRate()).isBetween(RATE / 10, RATE / 8);
        assertThat(accepted.isConnected()).isTrue();
      }
    }
  }

  private TcpSocket shown(Flow flow) throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    Optional<TcpSocket> shown = Optional.empty();
    // Who connects may know it before the other end does.
    while (shown.isEmpty() && System.nanoTime() < end) {
      shown = Optional.ofNullable(kernel.sockets(List.of(flow), DEVICE).get(flow));
    }
    return shown.orElseThrow();
  }

  @Test
  void datagramsAreNotHeldAndItSaysSo() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    apply(Map.of(1, RATE));
    rates.classify(Map.of(new ClassKey(Transport.UDP, here, 9, here, 10), 1), List.of(), List.of());

    assertThat(installed(1)).isZero();
    assertThat(rates.apply(DEVICE, between(Map.of(), Map.of(1, RATE))))
        .anySatisfy(complaint -> assertThat(complaint).contains("datagrams"));
  }

  @Test
  void aConnectionEndsWhenItsOwnerEndsIt() throws Exception {
    try (Connection ending = new Connection()) {
      apply(Map.of(1, RATE));
      put(ending, 1);
      ending.socket.close();
      // Whoever held a copy would keep it open.
      assertThat(ending.accepted.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static ClassChanges between(Map<Integer, Long> installed, Map<Integer, Long> wanted) {
    return ClassChanges.between(rates(installed), rates(wanted));
  }

  private static Map<Integer, ClassRate> rates(Map<Integer, Long> bitsPerSecond) {
    Map<Integer, ClassRate> rates = new TreeMap<>();
    bitsPerSecond.forEach((minor, rate) -> rates.put(minor, ClassRate.of(rate)));
    return rates;
  }

  private void apply(Map<Integer, Long> wanted) throws IOException {
    Map<Integer, Long> installed = new TreeMap<>();
    rates.all(DEVICE).forEach((minor, one) -> installed.put(minor, one.rateBitsPerSecond()));
    assertThat(rates.apply(DEVICE, between(installed, wanted))).isEmpty();
  }

  private long installed(int minor) throws IOException {
    return installed(rates, minor);
  }

  private static long installed(SocketShaper by, int minor) throws IOException {
    return Optional.ofNullable(by.all(DEVICE).get(minor)).orElseThrow().rateBitsPerSecond();
  }

  private void put(Connection connection, int minor) throws IOException {
    rates.classify(Map.of(connection.key(), minor), List.of(), List.of());
  }

  private void take(Connection connection) throws IOException {
    rates.classify(Map.of(), List.of(connection.key()), List.of());
  }

  private final class Connection implements Closeable {
    private final Socket socket;
    private final Socket accepted;
    private final Flow flow;

    Connection() throws IOException {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        socket = new Socket(server.getInetAddress(), server.getLocalPort());
        accepted = server.accept();
      }
      flow =
          new Flow(
              Transport.TCP,
              socket.getLocalAddress(),
              socket.getLocalPort(),
              socket.getInetAddress(),
              socket.getPort());
    }

    ClassKey key() {
      return ClassKey.of(flow, RuleSet.Coverage.SOCKET);
    }

    /** As the kernel shows it, in bytes per second. */
    long limit() throws IOException {
      return shown(flow).greatestRate();
    }

    /** Its application says so itself. */
    void wants(long bytesPerSecond) throws IOException {
      TcpSocket now = shown(flow);
      Map<Long, SocketHolders.Holder> found =
          new SocketHolders(Path.of("/proc")).find(Set.of(now.inode()));
      SocketHolders.Holder holder = Optional.ofNullable(found.get(now.inode())).orElseThrow();
      try (ForeignSockets sockets = new ForeignSockets()) {
        sockets.limit(holder, now.cookie(), now.greatestRate(), bytesPerSecond);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
      accepted.close();
    }
  }
}
