package org.paceline.agent;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.paceline.agent.application.ApplicationSocket;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.config.FaultyFile;
import org.paceline.agent.link.Messages;
import org.paceline.agent.pace.EnforcerChoice;
import org.paceline.agent.pace.HostCheck;
import org.paceline.agent.pace.Inherited;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.StateFile;
import org.paceline.agent.sense.ProcessTable;
import org.paceline.agent.sense.SocketTableReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the agent until it is stopped or refused. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = PacelineAgent.Version.class,
    description = "Runs in the foreground until SIGTERM or Ctrl-C, and leaves the host as found.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped as asked",
      "1:a fault of the agent itself",
      "2:something a person has to put right: the message says what; nothing stays installed",
      "3:there was no memory left"
    })
final class RunCommand implements Callable<Integer> {
  // Kept, for the logging framework forgets the level of a logger that nobody holds.
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private static final int BEGINNING_SECONDS = 20;

  @Option(names = "--config", required = true, description = "the configuration file")
  private Path config = Path.of("paceline-agent.yaml");

  // Speaks another version of the protocol than this agent knows, to see it refused.
  @Option(names = "--protocol-version", hidden = true)
  private int protocolVersion = Messages.PROTOCOL_VERSION;

  @Override
  public Integer call() throws IOException {
    GRPC.setLevel(Level.SEVERE);
    AgentConfig read = readConfig();
    HostCheck.requireMeans(read.enforcer());
    EnforcerChoice choice = EnforcerChoice.probe(read.enforcer(), read.rules());
    // Before anything is touched: what is refused leaves the host as it was.
    Optional<MetricsEndpoint> metrics = read.metrics().map(MetricsEndpoint::open);
    Deque<Closeable> open = new ArrayDeque<>();
    AtomicInteger exitCode = new AtomicInteger(PacelineAgent.FAULT);
    CountDownLatch begun = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(stop(open, exitCode, begun));
    Agent agent;
    try {
      agent = begin(read, choice, metrics, open);
      exitCode.set(PacelineAgent.OK);
    } catch (IOException | Refused e) {
      exitCode.set(e instanceof Refused ? PacelineAgent.REFUSED : PacelineAgent.FAULT);
      close(open);
      throw e;
    } finally {
      begun.countDown();
    }
    String reason;
    try {
      reason = agent.refused().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PacelineAgent.OK;
    } catch (ExecutionException e) {
      exitCode.set(PacelineAgent.FAULT);
      throw new IllegalStateException(e.getCause());
    }
    exitCode.set(PacelineAgent.REFUSED);
    throw new Refused(reason);
  }

  /**
   * Who is told to stop while it begins goes on until it has: only then is it known what there is
   * to be taken down, also of an agent that was killed.
   */
  private static Thread stop(Deque<Closeable> open, AtomicInteger exitCode, CountDownLatch begun) {
    return new Thread(
        () -> {
          try {
            begun.await(BEGINNING_SECONDS, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          takeDown(open, exitCode);
          // Otherwise a stop that was asked for ends with 128 and the signal's number.
          Runtime.getRuntime().halt(exitCode.get());
        },
        "stop");
  }

  /** All that is opened is put on the stack, to be closed by its order. */
  private Agent begin(
      AgentConfig read,
      EnforcerChoice choice,
      Optional<MetricsEndpoint> metrics,
      Deque<Closeable> open)
      throws IOException {
    NamespaceLock lock = NamespaceLock.take();
    open.push(lock::release);
    ProcessTable processes =
        new ProcessTable(Path.of("/proc"), Path.of("/etc/passwd"), System::nanoTime);
    Optional<ApplicationSocket> applications =
        read.applications().map(a -> new ApplicationSocket(a.socket(), processes::userName));
    applications.ifPresent(open::push);
    Agent agent = agent(read, choice, lock.state(), processes);
    applications.ifPresent(socket -> socket.serve(agent.desk(read.applications().orElseThrow())));
    open.push(agent);
    open.push(
        StatusSocket.open(
            NamespaceLock.statusFile(),
            () -> StatusText.of(agent.view()),
            () -> KnownText.write(agent.known())));
    metrics.ifPresent(endpoint -> endpoint.show(agent::view));
    agent.start();
    return agent;
  }

  private Agent agent(
      AgentConfig read, EnforcerChoice choice, StateFile state, ProcessTable processes)
      throws IOException {
    List<ManagedInterface> interfaces =
        HostCheck.interfaces(
            read.interfaces(), read.controllerHost(), choice.kind(), read.adopt(), state);
    if (choice.limitsIncoming()) {
      HostCheck.requireFreeIngress(interfaces);
    }
    Optional<Inherited> inherited = Inherited.takeOver(choice, interfaces, state);
    Hearing hearing = Hearing.open(read.rules());
    Sensing sensing =
        new Sensing(
            SocketTableReader.ofThisNamespace(),
            processes,
            interfaces,
            read.rules(),
            hearing.names(),
            Markings.open(read.rules()));
    return new Agent(
        read,
        interfaces,
        choice,
        inherited,
        sensing,
        hearing,
        state,
        protocolVersion,
        new Console(System.out));
  }

  private AgentConfig readConfig() {
    try {
      return AgentConfig.read(config);
    } catch (FaultyFile e) {
      throw new Refused("The configuration cannot be used:\n" + e.getMessage());
    }
  }

  private static void takeDown(Deque<Closeable> open, AtomicInteger exitCode) {
    try {
      close(open);
    } catch (IOException e) {
      System.err.println("paceline-agent: " + e.getMessage());
      exitCode.set(PacelineAgent.FAULT);
    }
  }

  /** The last first. */
  private static void close(Deque<Closeable> open) throws IOException {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
