package org.paceline.agent.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.pace.ClassStatistics;
import org.paceline.agent.pace.EnforcerChoice;
import org.paceline.agent.pace.EnforcerKind;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.Pacer;
import org.paceline.agent.sense.Direction;
import org.paceline.agent.sense.Transport;
import org.paceline.intents.tree.IntentPath;
import org.paceline.protocol.Address;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.AgentUsage;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ConversationClosed;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Protocol;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Report;

/** The agent's own values as messages on the wire. */
public final class Messages {
  public static final int PROTOCOL_VERSION = 1;

  // Far from what no message may have, so that one of them does not hold up others for long.
  static final int MOST_REPORT_BYTES = 1 << 20;

  private Messages() {}

  /** Says nothing yet of what is open. */
  public static Hello.Builder hello(
      AgentConfig config,
      List<ManagedInterface> interfaces,
      EnforcerChoice choice,
      long planVersion,
      int protocolVersion) {
    Hello.Builder hello =
        Hello.newBuilder()
            .setProtocolVersion(protocolVersion)
            .setHostId(config.hostId())
            .setPlanVersion(planVersion)
            .setCapabilities(
                Capabilities.newBuilder()
                    .setEnforcer(choice.kind().capability())
                    .setLimitsIncoming(choice.limitsIncoming())
                    .setIpv6(true)
                    .setMaxConversations(
                        choice.kind() == EnforcerKind.NONE ? 0 : Pacer.MOST_CONVERSATIONS));
    Set<IntentPath> intents = new TreeSet<>(config.rules().intents());
    config.applications().ifPresent(allowances -> intents.addAll(allowances.intents()));
    intents.stream().map(IntentPath::toString).forEach(hello::addIntents);
    for (ManagedInterface managed : interfaces) {
      managed
          .addresses()
          .forEach(
              a ->
                  hello.addAddresses(
                      Address.newBuilder()
                          .setInterface(managed.name())
                          .setMac(managed.mac())
                          .setIp(a.address().getHostAddress())
                          .setPrefixLength(a.prefixLength())));
    }
    return hello;
  }

  public static ConversationOpened opened(Conversation conversation, long installedRate) {
    IntentPath intent = conversation.key().intent();
    return ConversationOpened.newBuilder()
        .setId(conversation.id())
        .setIntent(intent.isRoot() ? "" : intent.toString())
        .setLocalAddress(conversation.key().local().getHostAddress())
        .setRemoteAddress(conversation.key().remote().getHostAddress())
        .setProtocol(
            conversation.first().transport() == Transport.TCP ? Protocol.TCP : Protocol.UDP)
        .setLocalPort(conversation.first().localPort())
        .setRemotePort(conversation.first().remotePort())
        .setProcess(conversation.owner().name())
        .setUser(conversation.owner().user())
        .setCgroup(conversation.owner().cgroup())
        .setFirstSeenUnixNanos(conversation.firstSeenUnixNanos())
        .setInstalledRateBitsPerSecond(installedRate)
        .setInterface(conversation.device())
        .setRemoteName(conversation.remoteName())
        .build();
  }

  public static AgentMessage of(ConversationOpened opened, Direction way) {
    AgentMessage.Builder message = AgentMessage.newBuilder();
    return (way == Direction.IN ? message.setIncoming(opened) : message.setOpened(opened)).build();
  }

  public static AgentMessage closed(List<String> ids) {
    return AgentMessage.newBuilder()
        .setClosed(ConversationClosed.newBuilder().addAllIds(ids))
        .build();
  }

  public static AgentMessage of(RatesInstalled installed) {
    return AgentMessage.newBuilder().setInstalled(installed).build();
  }

  /**
   * What there is to report, in as many messages as it takes: none may have more than gRPC's 4 MB.
   * Each conversation is in one of them, and what the agent itself uses in the first.
   */
  public static List<AgentMessage> report(
      Map<Conversation, ClassStatistics> statistics,
      Function<Conversation, Map<String, Double>> kpis,
      AgentUsage usage,
      long unixNanos) {
    List<AgentMessage> parts = new ArrayList<>();
    Report.Builder part = Report.newBuilder().setUnixNanos(unixNanos).setUsage(usage);
    int bytes = 0;
    for (Map.Entry<Conversation, ClassStatistics> one : statistics.entrySet()) {
      ConversationReport report =
          reported(one.getKey(), one.getValue(), kpis.apply(one.getKey())).build();
      bytes += report.getSerializedSize();
      if (bytes > MOST_REPORT_BYTES) {
        parts.add(AgentMessage.newBuilder().setReport(part).build());
        part = Report.newBuilder().setUnixNanos(unixNanos);
        bytes = report.getSerializedSize();
      }
      part.addConversations(report);
    }
    parts.add(AgentMessage.newBuilder().setReport(part).build());
    return parts;
  }

  private static ConversationReport.Builder reported(
      Conversation conversation, ClassStatistics s, Map<String, Double> kpis) {
    ConversationReport.Builder one =
        ConversationReport.newBuilder()
            .setConversationId(conversation.id())
            .setSentBytes(s.sentBytes())
            .setSentPackets(s.sentPackets())
            .setDroppedPackets(s.droppedPackets())
            .setBacklogBytes(s.backlogBytes())
            .setSockets(conversation.flows().size())
            .setInstalledRateBitsPerSecond(s.rateBitsPerSecond())
            .putAllKpis(kpis);
    conversation
        .tcp()
        .ifPresent(
            tcp ->
                one.setRetransmittedSegments(tcp.retransmittedSegments())
                    .setSmoothedRttMicros((int) tcp.smoothedRttMicros()));
    return one;
  }
}
