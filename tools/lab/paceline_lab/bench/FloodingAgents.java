import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.paceline.protocol.Address;
import org.paceline.protocol.AgentGatewayGrpc;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationClosed;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Protocol;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Report;

/**
 * Agents that open, report and close conversations as fast as the controller takes their messages,
 * while they are told to.
 *
 * <p>Arguments: the controller's address, the directory of certificates, the address that all
 * conversations go to, and then the host and the address of each agent. Commands on standard input:
 * {@code flood} and {@code rest}. Each is answered by how many messages were sent so far.
 */
public final class FloodingAgents {
  /** That each agent has open at most. */
  private static final int CONVERSATIONS = 20;

  /** Messages of one conversation: opened, reported, closed. */
  private static final int STEPS = 3;

  private static final AtomicLong sent = new AtomicLong();
  private static volatile boolean flooding;

  private FloodingAgents() {}

  public static void main(String[] words) throws Exception {
    List<Agent> agents = new ArrayList<>();
    for (int at = 3; at < words.length; at += 2) {
      agents.add(new Agent(channel(words[0], new File(words[1]), words[at]), words[at], words[at + 1], words[2]));
    }
    for (Agent agent : agents) {
      Thread thread = new Thread(agent::talk, agent.host);
      thread.setDaemon(true);
      thread.start();
    }
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      flooding = line.equals("flood");
      System.out.println(sent.get());
    }
  }

  private static ManagedChannel channel(String controller, File certificates, String host) throws Exception {
    return NettyChannelBuilder.forAddress(controller, 9559)
        .overrideAuthority("paceline-controller")
        .sslContext(
            GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .trustManager(new File(certificates, "ca.pem"))
                .keyManager(new File(certificates, host + ".pem"), new File(certificates, host + ".key"))
                .build())
        .build();
  }

  private static final class Agent implements ClientResponseObserver<AgentMessage, ControllerMessage> {
    final String host;
    private final String address;
    private final String remote;
    private ClientCallStreamObserver<AgentMessage> out;

    Agent(ManagedChannel channel, String host, String address, String remote) {
      this.host = host;
      this.address = address;
      this.remote = remote;
      AgentGatewayGrpc.newStub(channel).attach(this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<AgentMessage> stream) {
      out = stream;
    }

    void talk() {
      say(
          AgentMessage.newBuilder()
              .setHello(
                  Hello.newBuilder()
                      .setProtocolVersion(1)
                      .setHostId(host)
                      .addAddresses(Address.newBuilder().setInterface("eth0").setIp(address))
                      .setCapabilities(Capabilities.newBuilder().setEnforcer("htb"))
                      .setAgentVersion("flooding")));
      long number = 0;
      try {
        while (true) {
          if (flooding && out.isReady()) {
            say(next(number++));
          } else if (flooding) {
            TimeUnit.MILLISECONDS.sleep(1);
          } else {
            rest(number);
            number = 0;
          }
        }
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }

    /** An agent that says nothing for long is taken for gone. */
    private void rest(long number) throws InterruptedException {
      if (number > 0) {
        ConversationClosed.Builder all = ConversationClosed.newBuilder();
        for (int one = 0; one < CONVERSATIONS; one++) {
          all.addIds("flood-" + one);
        }
        say(AgentMessage.newBuilder().setClosed(all));
      }
      say(AgentMessage.newBuilder().setReport(report()));
      for (int tenth = 0; tenth < 10 && !flooding; tenth++) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }

    private AgentMessage.Builder next(long number) {
      int port = (int) (number / STEPS % CONVERSATIONS);
      String id = "flood-" + port;
      switch ((int) (number % STEPS)) {
        case 0:
          return AgentMessage.newBuilder()
              .setOpened(
                  ConversationOpened.newBuilder()
                      .setId(id)
                      .setIntent("web-browsing/science_lab")
                      .setLocalAddress(address)
                      .setRemoteAddress(remote)
                      .setProtocol(Protocol.UDP)
                      .setLocalPort(20_000 + port)
                      .setRemotePort(20_000 + port)
                      .setFirstSeenUnixNanos(System.currentTimeMillis() * 1_000_000)
                      .setInstalledRateBitsPerSecond(1_000));
        case 1:
          return AgentMessage.newBuilder()
              .setReport(
                  report()
                      .addConversations(
                          ConversationReport.newBuilder()
                              .setConversationId(id)
                              .setInstalledRateBitsPerSecond(1_000)));
        default:
          // Not the one that was opened last, so that there are always some.
          return AgentMessage.newBuilder()
              .setClosed(ConversationClosed.newBuilder().addIds("flood-" + (port + 1) % CONVERSATIONS));
      }
    }

    private static Report.Builder report() {
      return Report.newBuilder().setUnixNanos(System.currentTimeMillis() * 1_000_000);
    }

    /** A stream takes one message after the other. */
    private synchronized void say(AgentMessage.Builder message) {
      out.onNext(message.build());
      sent.incrementAndGet();
    }

    @Override
    public void onNext(ControllerMessage message) {
      if (message.hasRates()) {
        RatesInstalled.Builder installed =
            RatesInstalled.newBuilder().setPlanVersion(message.getRates().getPlanVersion());
        message
            .getRates()
            .getRatesList()
            .forEach(
                rate ->
                    installed.addRates(
                        InstalledRate.newBuilder()
                            .setConversationId(rate.getConversationId())
                            .setRateBitsPerSecond(rate.getRateBitsPerSecond())));
        say(AgentMessage.newBuilder().setInstalled(installed));
      } else if (message.hasRefusal()) {
        System.err.println(message.getRefusal().getMessage());
      }
    }

    @Override
    public void onError(Throwable broken) {
      System.err.println("The stream of " + host + " broke: " + broken.getMessage());
      System.exit(1);
    }

    @Override
    public void onCompleted() {}
  }
}
