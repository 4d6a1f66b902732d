package org.paceline.agent.session;

import com.google.protobuf.MessageLite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.paceline.agent.application.ReportedKpi;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.sockets.TcpInfo;
import org.paceline.intents.tree.IntentPath;
import org.paceline.protocol.Address;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.AgentUsage;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ConversationClosed;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Pool;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.Protocol;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Report;
import org.paceline.protocol.UnmanagedTraffic;

/** The agent's own values as messages on the wire. */
public final class Messages {
  public static final int PROTOCOL_VERSION = 1;

  // Far from what no message may have, so that one of them does not hold up others for long.
  static final int MOST_PART_BYTES = 1 << 20;

  private static final int WHOLE = 1_000;

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
                    .setIpv6(true));
    Set<IntentPath> intents = new TreeSet<>(config.rules().intents());
    config.local().applications().ifPresent(allowances -> intents.addAll(allowances.intents()));
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
        .setProtocol(protocol(conversation.first()))
        .setLocalPort(conversation.first().localPort())
        .setRemotePort(conversation.first().remotePort())
        .setProcess(conversation.owner().name())
        .setUser(conversation.owner().user())
        .setCgroup(conversation.owner().cgroup())
        .setFirstSeenUnixNanos(conversation.firstSeenUnixNanos())
        .setInstalledRateBitsPerSecond(installedRate)
        .setInterface(conversation.device())
        .setRemoteName(conversation.remoteName())
        .addAllMoreMatches(moreMatches(conversation))
        .build();
  }

  private static List<PortMatch> moreMatches(Conversation conversation) {
    return conversation.matchesAll()
        ? List.of(PortMatch.getDefaultInstance())
        : conversation.moreMatches().stream().map(Messages::match).toList();
  }

  private static PortMatch match(ClassKey ports) {
    return PortMatch.newBuilder()
        .setProtocol(protocol(ports))
        .setLocalPort(ports.localPort())
        .setRemotePort(ports.remotePort())
        .build();
  }

  private static Protocol protocol(ClassKey ports) {
    return ports.transport() == Transport.TCP ? Protocol.TCP : Protocol.UDP;
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

  /** The answer to rates, in as many messages as it takes; pools are in the first. */
  public static List<AgentMessage> installed(
      long planVersion, List<InstalledRate> rates, List<Pool> pools) {
    List<AgentMessage> messages = new ArrayList<>();
    for (List<InstalledRate> part : parts(rates)) {
      RatesInstalled.Builder installed =
          RatesInstalled.newBuilder().setPlanVersion(planVersion).addAllRates(part);
      if (messages.isEmpty()) {
        installed.addAllPools(pools);
      }
      messages.add(AgentMessage.newBuilder().setInstalled(installed).build());
    }
    return messages;
  }

  /**
   * What there is to report, in as many messages as it takes. Each conversation is in one of them,
   * and what the agent itself uses in the first.
   */
  public static List<AgentMessage> report(
      Map<Conversation, ClassStatistics> statistics,
      Function<Conversation, Map<String, ReportedKpi>> kpis,
      AgentUsage usage,
      Optional<UnmanagedTraffic> unmanaged,
      long unixNanos) {
    List<ConversationReport> all = new ArrayList<>(statistics.size());
    statistics.forEach((one, read) -> all.add(reported(one, read, kpis.apply(one)).build()));
    List<AgentMessage> messages = new ArrayList<>();
    for (List<ConversationReport> part : parts(all)) {
      Report.Builder report = Report.newBuilder().setUnixNanos(unixNanos).addAllConversations(part);
      if (messages.isEmpty()) {
        report.setUsage(usage);
        unmanaged.ifPresent(report::setUnmanaged);
      }
      messages.add(AgentMessage.newBuilder().setReport(report).build());
    }
    return messages;
  }

  /** Cut where a message would have too many bytes: none may have more than gRPC's 4 MB. */
  private static <T extends MessageLite> List<List<T>> parts(List<T> all) {
    List<List<T>> parts = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int i = 0; i < all.size(); i++) {
      int more = all.get(i).getSerializedSize();
      if (i > from && bytes + more > MOST_PART_BYTES) {
        parts.add(all.subList(from, i));
        from = i;
        bytes = 0;
      }
      bytes += more;
    }
    parts.add(all.subList(from, all.size()));
    return parts;
  }

  private static ConversationReport.Builder reported(
      Conversation conversation, ClassStatistics s, Map<String, ReportedKpi> kpis) {
    ConversationReport.Builder one =
        ConversationReport.newBuilder()
            .setConversationId(conversation.id())
            .setSentBytes(s.sentBytes())
            .setSentPackets(s.sentPackets())
            .setDroppedPackets(s.droppedPackets())
            .setBacklogBytes(s.backlogBytes())
            .setSockets(conversation.flows().size())
            .setInstalledRateBitsPerSecond(s.rateBitsPerSecond());
    long now = System.nanoTime();
    kpis.forEach(
        (name, kpi) ->
            one.putKpis(name, kpi.value()).putKpiAgesMillis(name, kpi.age(now).toMillis()));
    Optional<TcpInfo> tcp = conversation.tcp();
    if (tcp.isPresent()) {
      one.setRetransmittedSegments(tcp.get().retransmittedSegments())
          .setSmoothedRttMicros((int) tcp.get().smoothedRttMicros());
      if (tcp.get().busyMicros() > 0) {
        one.setFarEndThousandths(
            (int) Math.min(WHOLE, WHOLE * tcp.get().farEndMicros() / tcp.get().busyMicros()));
      }
    }
    return one;
  }
}
