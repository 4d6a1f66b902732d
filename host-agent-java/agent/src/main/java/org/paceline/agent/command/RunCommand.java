package org.paceline.agent.command;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.paceline.agent.application.ApplicationSocket;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.ControllerAddress;
import org.paceline.agent.config.FaultyFile;
import org.paceline.agent.config.SwitchConfig;
import org.paceline.agent.daemon.Agent;
import org.paceline.agent.daemon.NamespaceLock;
import org.paceline.agent.daemon.ServiceRestart;
import org.paceline.agent.daemon.SwitchAgent;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.pacing.EnforcerProbe;
import org.paceline.agent.pacing.HostCheck;
import org.paceline.agent.pacing.HostSetup;
import org.paceline.agent.pacing.KilledAgent;
import org.paceline.agent.pacing.StateFile;
import org.paceline.agent.peer.PeerNameCapture;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.agent.runtime.CannotRunYet;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.ExitCode;
import org.paceline.agent.session.Messages;
import org.paceline.agent.sockets.ProcessTable;
import org.paceline.agent.sockets.SocketTableReader;
import org.paceline.agent.status.MetricsEndpoint;
import org.paceline.agent.status.SocketKnowledgeText;
import org.paceline.agent.status.StatusSocket;
import org.paceline.agent.status.StatusText;
import org.paceline.agent.tracking.DscpMarkings;
import org.paceline.agent.tracking.SocketTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the agent until it is stopped or refused. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = AgentVersion.class,
    description =
        "Runs in the foreground until SIGTERM or Ctrl-C, and leaves the host as found; where"
            + " systemd restarts it, rates stay for the next one.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped as asked",
      "1:a fault of the agent itself",
      "2:something a person has to put right: the message says what; nothing stays installed",
      "3:there was no memory left"
    })
public final class RunCommand implements Callable<Integer> {
  // Kept, for the logging framework forgets the level of a logger that nobody holds.
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private static final int BEGINNING_SECONDS = 20;
  private static final int PAUSE_SECONDS = 1;

  private final Console console = new Console(System.out);

  @Option(names = "--config", required = true, description = "the configuration file")
  private Path config = Path.of("paceline-agent.yaml");

  @Option(
      names = "--peers",
      description = "share with peers alone, whatever controller the configuration names")
  private boolean peersAlone;

  // Speaks another version of the protocol than this agent knows, to see it refused.
  @Option(names = "--protocol-version", hidden = true)
  private int protocolVersion = Messages.PROTOCOL_VERSION;

  @Override
  public Integer call() throws IOException {
    GRPC.setLevel(Level.SEVERE);
    Optional<SwitchConfig> ports = readSwitchConfig();
    Beginning beginning = ports.isPresent() ? ofPorts(ports.get()) : ofHost();
    // On a switch nobody is left to take down what the next agent is not told to go on with.
    BooleanSupplier handsOver = () -> ports.isEmpty() && ServiceRestart.isUnderWay();
    Deque<Closeable> open = new ArrayDeque<>();
    AtomicInteger exitCode = new AtomicInteger(ExitCode.FAULT);
    CountDownLatch stopping = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(stop(open, exitCode, stopping, begun, handsOver));
    Optional<CompletableFuture<String>> refused;
    try {
      refused = beginWhenPossible(beginning, open, stopping);
      exitCode.set(ExitCode.OK);
    } catch (IOException | CannotRun e) {
      exitCode.set(e instanceof CannotRun ? ExitCode.REFUSED : ExitCode.FAULT);
      close(open);
      throw e;
    } finally {
      begun.countDown();
    }
    if (refused.isEmpty()) {
      return ExitCode.OK;
    }
    String reason;
    try {
      reason = refused.get().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.OK;
    } catch (ExecutionException e) {
      exitCode.set(ExitCode.FAULT);
      throw new IllegalStateException(e.getCause());
    }
    exitCode.set(ExitCode.REFUSED);
    throw new CannotRun(reason);
  }

  /**
   * Who is told to stop while it begins goes on until it has: only then is it known what there is
   * to be taken down, also of an agent that was killed.
   */
  private static Thread stop(
      Deque<Closeable> open,
      AtomicInteger exitCode,
      CountDownLatch stopping,
      CountDownLatch begun,
      BooleanSupplier handsOver) {
    return new Thread(
        () -> {
          stopping.countDown();
          try {
            begun.await(BEGINNING_SECONDS, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          // As where it is killed, the next one goes on with what is in the kernel.
          if (exitCode.get() != ExitCode.OK || !handsOver.getAsBoolean()) {
            takeDown(open, exitCode);
          }
          // Otherwise a stop that was asked for ends with 128 and the signal's number.
          Runtime.getRuntime().halt(exitCode.get());
        },
        "stop");
  }

  /**
   * Tries again what may pass by itself, such as an interface that comes late, and leaves the host
   * as it was meanwhile; nothing where it is to stop before.
   */
  private Optional<CompletableFuture<String>> beginWhenPossible(
      Beginning beginning, Deque<Closeable> open, CountDownLatch stopping) throws IOException {
    while (true) {
      try {
        return Optional.of(beginning.begin(open));
      } catch (CannotRunYet e) {
        close(open);
        console.say(e.getMessage() + " Nothing is paced; trying again until that has passed.");
      }
      try {
        if (stopping.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
          return Optional.empty();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }
  }

  /** Makes the agent that the file is for. */
  private interface Beginning {
    /**
     * All that is opened is put on the stack, to be closed by its order.
     *
     * @return completes with the reason when a person has to put something right
     */
    CompletableFuture<String> begin(Deque<Closeable> open) throws IOException;
  }

  private Beginning ofPorts(SwitchConfig read) throws IOException {
    HostCheck.requireMeansForPorts();
    return open -> begin(read, open).refused();
  }

  private Beginning ofHost() throws IOException {
    AgentConfig read = readConfig();
    HostCheck.requireMeans(read.interfaces().enforcer());
    EnforcerChoice choice = EnforcerProbe.probe(read.interfaces().enforcer(), read.rules());
    return open -> begin(read, choice, open).refused();
  }

  private SwitchAgent begin(SwitchConfig read, Deque<Closeable> open) throws IOException {
    NamespaceLock lock = NamespaceLock.take();
    open.push(lock::release);
    SwitchAgent agent = new SwitchAgent(read, protocolVersion, console);
    open.push(agent);
    // Of sockets it knows nothing.
    open.push(StatusSocket.open(NamespaceLock.statusFile(), agent::status, () -> ""));
    agent.start();
    return agent;
  }

  private Agent begin(AgentConfig read, EnforcerChoice choice, Deque<Closeable> open)
      throws IOException {
    // Before anything is touched: what is refused leaves the host as it was.
    Optional<MetricsEndpoint> metrics = read.local().metrics().map(MetricsEndpoint::open);
    metrics.ifPresent(open::push);
    NamespaceLock lock = NamespaceLock.take();
    open.push(lock::release);
    List<ManagedInterface> interfaces =
        HostCheck.interfaces(
            read.interfaces().names(),
            read.controller().map(ControllerAddress::host),
            choice.kind(),
            read.interfaces().adopt(),
            lock.state());
    ProcessTable processes =
        new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);
    Optional<ApplicationSocket> applications =
        read.local()
            .applications()
            .map(a -> new ApplicationSocket(a.socket(), processes::userName));
    applications.ifPresent(open::push);
    Agent agent = agent(read, choice, interfaces, lock.state(), processes);
    applications.ifPresent(
        socket -> socket.serve(agent.requests(read.local().applications().orElseThrow())));
    open.push(agent);
    open.push(
        StatusSocket.open(
            NamespaceLock.statusFile(),
            () -> StatusText.of(agent.view()),
            () -> SocketKnowledgeText.write(agent.known())));
    metrics.ifPresent(endpoint -> endpoint.show(agent::view));
    agent.start();
    return agent;
  }

  private Agent agent(
      AgentConfig read,
      EnforcerChoice choice,
      List<ManagedInterface> interfaces,
      StateFile state,
      ProcessTable processes)
      throws IOException {
    if (choice.limitsIncoming()) {
      HostCheck.requireFreeIngress(interfaces);
    }
    Optional<InheritedState> inherited = KilledAgent.takeOver(choice, interfaces, state);
    PeerNameCapture peerNames = PeerNameCapture.open(read.rules());
    SocketTable socketTable =
        new SocketTable(
            SocketTableReader.ofThisNamespace(),
            processes,
            interfaces,
            read.rules(),
            peerNames.names(),
            DscpMarkings.open(read.rules()));
    HostSetup setup = new HostSetup(interfaces, choice, inherited, state);
    return new Agent(read, setup, socketTable, peerNames, protocolVersion, console);
  }

  private Optional<SwitchConfig> readSwitchConfig() {
    try {
      return SwitchConfig.read(config);
    } catch (FaultyFile e) {
      throw unusable(e);
    }
  }

  private static CannotRun unusable(FaultyFile e) {
    return new CannotRun("The configuration cannot be used:\n" + e.getMessage());
  }

  private AgentConfig readConfig() {
    try {
      AgentConfig read = AgentConfig.read(config);
      if (!peersAlone) {
        return read;
      }
      if (read.peers().isEmpty()) {
        throw new CannotRun(
            "The configuration ("
                + config
                + ") does not say how to share with peers. Maybe add (peers) with keyFile and"
                + " links, or leave out --peers.");
      }
      return read.byPeersAlone();
    } catch (FaultyFile e) {
      throw unusable(e);
    }
  }

  private static void takeDown(Deque<Closeable> open, AtomicInteger exitCode) {
    try {
      close(open);
    } catch (IOException e) {
      System.err.println("paceline-agent: " + e.getMessage());
      exitCode.set(ExitCode.FAULT);
    }
  }

  /** The last first. */
  private static void close(Deque<Closeable> open) throws IOException {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
