import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.stub.StreamObserver;
import java.io.File;
import java.util.concurrent.TimeUnit;
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
 * Speaks the agents' protocol for one conversation, paces nothing, and answers whatever it is told
 * with a rate beyond all links. Ends by SIGTERM, with a good-bye.
 *
 * <p>Arguments: the controller's address, the directory of certificates, the host, its address, the
 * other end's, and the port of UDP at both.
 */
public final class HostileAgent implements StreamObserver<ControllerMessage> {
  private static final long ABSURD = 1_000_000_000_000_000L;
  private static final String ID = "flood";

  private final StreamObserver<AgentMessage> out;

  private HostileAgent(ManagedChannel channel) {
    out = AgentGatewayGrpc.newStub(channel).attach(this);
  }

  public static void main(String[] words) throws Exception {
    File certificates = new File(words[1]);
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(words[0], 9559)
            .overrideAuthority("paceline-controller")
            .sslContext(
                GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(new File(certificates, "ca.pem"))
                    .keyManager(
                        new File(certificates, words[2] + ".pem"),
                        new File(certificates, words[2] + ".key"))
                    .build())
            .build();
    HostileAgent agent = new HostileAgent(channel);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> agent.leave(channel)));
    agent.say(
        AgentMessage.newBuilder()
            .setHello(
                Hello.newBuilder()
                    .setProtocolVersion(1)
                    .setHostId(words[2])
                    .addAddresses(Address.newBuilder().setInterface("eth0").setIp(words[3]))
                    .setCapabilities(Capabilities.newBuilder().setEnforcer("htb"))
                    .setAgentVersion("hostile")));
    agent.say(
        AgentMessage.newBuilder()
            .setOpened(
                ConversationOpened.newBuilder()
                    .setId(ID)
                    .setIntent("file-download/emailattach")
                    .setLocalAddress(words[3])
                    .setRemoteAddress(words[4])
                    .setProtocol(Protocol.UDP)
                    .setLocalPort(Integer.parseInt(words[5]))
                    .setRemotePort(Integer.parseInt(words[5]))
                    .setInstalledRateBitsPerSecond(ABSURD)));
    while (true) {
      TimeUnit.SECONDS.sleep(1);
      agent.say(
          AgentMessage.newBuilder()
              .setReport(
                  Report.newBuilder()
                      .setUnixNanos(System.currentTimeMillis() * 1_000_000)
                      .addConversations(
                          ConversationReport.newBuilder()
                              .setConversationId(ID)
                              .setInstalledRateBitsPerSecond(ABSURD))));
    }
  }

  /** A stream takes one message after the other. */
  private synchronized void say(AgentMessage.Builder message) {
    out.onNext(message.build());
  }

  private synchronized void leave(ManagedChannel channel) {
    out.onNext(
        AgentMessage.newBuilder()
            .setClosed(ConversationClosed.newBuilder().addIds(ID))
            .build());
    out.onCompleted();
    channel.shutdown();
    try {
      channel.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
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
                          .setRateBitsPerSecond(ABSURD)));
      say(AgentMessage.newBuilder().setInstalled(installed));
    } else if (message.hasRefusal()) {
      System.err.println(message.getRefusal().getMessage());
    }
  }

  @Override
  public void onError(Throwable broken) {
    System.err.println("The stream broke: " + broken.getMessage());
    System.exit(1);
  }

  @Override
  public void onCompleted() {}
}
