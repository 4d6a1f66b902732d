package org.paceline.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.assurance.UnmanagedTraffic;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.QueueCounts;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.SwitchPort;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.TcpReading;
import org.paceline.control.model.Transport;
import org.paceline.control.model.Unserved;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.address.CanonicalAddress;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.protocol.Address;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Pool;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.PortMatches;
import org.paceline.protocol.PortQueue;
import org.paceline.protocol.Protocol;
import org.paceline.protocol.QueueCount;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Report;

/** The protocol's words in those of control. */
final class Translation {
  private static final long NANOS = 1_000_000_000L;
  private static final long NANOS_OF_A_MICRO = 1_000L;

  /** As many as an agent takes from one application, with names as long. */
  private static final int MOST_KPIS = 16;

  private static final int LONGEST_KPI = 32;
  private static final Duration OLDEST_KPI = Duration.ofDays(1);

  private Translation() {}

  static Instant time(long unixNanos) {
    return Instant.ofEpochSecond(unixNanos / NANOS, unixNanos % NANOS);
  }

  static Optional<AgentInfo.PeerAgreement> peerAgreement(Hello hello) {
    return hello.hasPeerAgreement()
        ? Optional.of(
            AgentInfo.PeerAgreement.of(
                time(hello.getPeerAgreement().getSinceUnixNanos()),
                hello.getPeerAgreement().getPeers()))
        : Optional.empty();
  }

  static Refusal.Code code(Unserved.Kind why) {
    switch (why) {
      case UNKNOWN_HOST:
        return Refusal.Code.UNKNOWN_HOST;
      case COUNTED_ALREADY:
        return Refusal.Code.COUNTED_ALREADY;
      case NOT_ITS_ADDRESS:
        // An agent that does not know a code ends: none is new here.
        return Refusal.Code.INVALID_CONVERSATION;
      default:
        return Refusal.Code.NOT_ADMITTED;
    }
  }

  static Capabilities capabilities(Hello hello) {
    return Capabilities.ofAgent(
        hello.getHostId(),
        hello.getCapabilities().getEnforcer(),
        hello.getCapabilities().getLimitsIncoming(),
        hello.getCapabilities().getPools());
  }

  /**
   * What the host sends.
   *
   * @throws IllegalArgumentException if it has no id, an address or port that is none, or too many
   *     matches
   */
  static Conversation conversation(
      String host, Capabilities capabilities, ConversationOpened opened) {
    return named(host, opened)
        .enforcement(capabilities.outgoing(transport(opened.getProtocol())))
        .pool(
            Optional.of(opened.getInterface())
                .filter(device -> capabilities.pools() && !device.isEmpty())
                .map(device -> PoolId.of(host, device)))
        .localAddress(address(opened.getLocalAddress()))
        .remoteAddress(address(opened.getRemoteAddress()))
        .localPort(opened.getLocalPort())
        .remotePort(opened.getRemotePort())
        .moreMatches(
            matches(
                opened,
                m ->
                    PacketMatch.of(
                        transport(m.getProtocol()), m.getLocalPort(), m.getRemotePort())))
        .build();
  }

  /**
   * What the host receives: its remote end sends.
   *
   * @throws IllegalArgumentException as for what it sends
   */
  static Conversation incoming(String host, Enforcement enforcement, ConversationOpened opened) {
    return named(host, opened)
        .incoming(true)
        .enforcement(enforcement)
        .localAddress(address(opened.getRemoteAddress()))
        .remoteAddress(address(opened.getLocalAddress()))
        .localPort(opened.getRemotePort())
        .remotePort(opened.getLocalPort())
        .moreMatches(
            matches(
                opened,
                m ->
                    PacketMatch.of(
                        transport(m.getProtocol()), m.getRemotePort(), m.getLocalPort())))
        .build();
  }

  private static List<PacketMatch> matches(
      ConversationOpened opened, Function<PortMatch, PacketMatch> read) {
    if (opened.getMoreMatchesCount() > PortMatches.MOST) {
      throw new IllegalArgumentException(
          "The conversation ("
              + opened.getId()
              + ") has ("
              + opened.getMoreMatchesCount()
              + ") more matches, and at most ("
              + PortMatches.MOST
              + ") are allowed. Maybe install the agent that came with this controller.");
    }
    return opened.getMoreMatchesList().stream().map(read).collect(Collectors.toList());
  }

  /** The same text for the same address, whoever wrote it. */
  private static String address(String text) {
    return CanonicalAddress.of(text);
  }

  private static Conversation.Builder named(String host, ConversationOpened opened) {
    AgentBounds.check(opened);
    return Conversation.builder()
        .id(ConversationId.of(host, opened.getId()))
        .intent(opened.getIntent())
        .transport(transport(opened.getProtocol()))
        .process(AgentBounds.shown(opened.getProcess()))
        .user(AgentBounds.shown(opened.getUser()))
        .remoteName(AgentBounds.shown(opened.getRemoteName()))
        .firstSeen(time(opened.getFirstSeenUnixNanos()))
        .rateInForce(rate(opened.getInstalledRateBitsPerSecond()));
  }

  /** Those of an agent's host; what is no address cannot be any conversation's. */
  static List<String> addresses(Hello hello) {
    List<String> addresses = new ArrayList<>();
    for (Address one : hello.getAddressesList()) {
      try {
        addresses.add(address(one.getIp()));
      } catch (IllegalArgumentException e) {
        addresses.add(one.getIp());
      }
    }
    return addresses;
  }

  private static Transport transport(Protocol protocol) {
    switch (protocol) {
      case TCP:
        return Transport.TCP;
      case UDP:
        return Transport.UDP;
      default:
        return Transport.ANY;
    }
  }

  /**
   * What an agent says that it holds, of 64 bits without a sign. No more than what holds nobody
   * back: sums of what many say stay numbers.
   */
  private static DataRate rate(long bitsPerSecond) {
    return Long.compareUnsigned(bitsPerSecond, PlannerSettings.UNLIMITED.bitsPerSecond()) > 0
        ? PlannerSettings.UNLIMITED
        : DataRate.ofBitsPerSecond(bitsPerSecond);
  }

  static List<ConversationId> ids(String host, Collection<String> ids) {
    return ids.stream()
        .filter(id -> !id.isEmpty())
        .map(id -> ConversationId.of(host, id))
        .collect(Collectors.toUnmodifiableList());
  }

  static List<InstalledRate> installed(String host, RatesInstalled message) {
    return message.getRatesList().stream()
        .filter(rate -> !rate.getConversationId().isEmpty())
        .map(
            rate ->
                InstalledRate.of(
                    ConversationId.of(host, rate.getConversationId()),
                    rate(rate.getRateBitsPerSecond()),
                    rate.getError()))
        .collect(Collectors.toUnmodifiableList());
  }

  static Map<PoolId, DataRate> pools(String host, RatesInstalled message) {
    Map<PoolId, DataRate> pools = new TreeMap<>();
    for (Pool pool : message.getPoolsList()) {
      pools.put(PoolId.of(host, pool.getInterface()), rate(pool.getRateBitsPerSecond()));
    }
    return pools;
  }

  /** Ports without a name are nobody's, and shares that nothing could have are none. */
  static List<PortReading> ports(List<PortQueue> ports) {
    return ports.stream()
        .filter(one -> !one.getSwitchId().isEmpty() && !one.getPort().isEmpty())
        .map(
            one ->
                PortReading.of(
                    SwitchPort.of(one.getSwitchId(), one.getPort()),
                    shares(one),
                    one.getElephantDscp(),
                    one.getError(),
                    one.hasCounts() ? counts(one.getCounts()) : Optional.empty()))
        .collect(Collectors.toUnmodifiableList());
  }

  private static Optional<QueueShares> shares(PortQueue one) {
    return one.getElephantsBitsPerSecond() > 0 && one.getOthersBitsPerSecond() > 0
        ? Optional.of(
            QueueShares.of(
                DataRate.ofBitsPerSecond(one.getElephantsBitsPerSecond()),
                DataRate.ofBitsPerSecond(one.getOthersBitsPerSecond())))
        : Optional.empty();
  }

  /** Empty where they are none that a queue can have. */
  private static Optional<QueueCounts> counts(org.paceline.protocol.QueueCounts counts) {
    try {
      return Optional.of(
          QueueCounts.of(
              time(counts.getSinceUnixNanos()),
              Duration.ofNanos(counts.getRunningNanos()),
              queued(counts.getElephants()),
              queued(counts.getOthers())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static QueueCounts.Queued queued(QueueCount count) {
    return QueueCounts.Queued.of(count.getBytes(), count.getPackets(), count.getDroppedPackets());
  }

  /**
   * @param now by the controller's clock, which KPIs are dated by
   */
  static List<Counters> counters(String host, Report report, Instant now) {
    return report.getConversationsList().stream()
        .filter(counted -> !counted.getConversationId().isEmpty())
        .map(
            counted ->
                Counters.of(
                        ConversationId.of(host, counted.getConversationId()),
                        counted.getSentBytes(),
                        counted.getDroppedPackets(),
                        counted.getSockets(),
                        rate(counted.getInstalledRateBitsPerSecond()),
                        kpis(counted, now),
                        tcp(counted))
                    .inPackets(counted.getSentPackets()))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Of more than an agent takes from an application the first ones. */
  private static Map<String, KpiReading> kpis(ConversationReport counted, Instant now) {
    Map<String, KpiReading> kpis = new TreeMap<>();
    counted.getKpisMap().entrySet().stream()
        .filter(kpi -> kpi.getKey().length() <= LONGEST_KPI)
        .sorted(Map.Entry.comparingByKey())
        .limit(MOST_KPIS)
        .forEach(
            kpi ->
                kpis.put(
                    kpi.getKey(),
                    KpiReading.of(
                        kpi.getValue(),
                        now.minusMillis(age(counted.getKpiAgesMillisMap(), kpi.getKey())))));
    return kpis;
  }

  /** None of an agent that does not tell: then as new as its report. */
  private static long age(Map<String, Long> ages, String kpi) {
    return Math.min(Math.max(ages.getOrDefault(kpi, 0L), 0), OLDEST_KPI.toMillis());
  }

  static UnmanagedTraffic unmanaged(String host, Report report) {
    return UnmanagedTraffic.of(
        host,
        time(report.getUnixNanos()),
        report.getUnmanaged().getSentBytes(),
        report.getUnmanaged().getProcess(),
        report.getUnmanaged().getUser(),
        report.getUnmanaged().getRemoteAddress());
  }

  private static Optional<TcpReading> tcp(ConversationReport counted) {
    long micros = Integer.toUnsignedLong(counted.getSmoothedRttMicros());
    return counted.hasRetransmittedSegments()
        ? Optional.of(
            TcpReading.of(
                counted.getRetransmittedSegments(),
                micros == 0
                    ? Optional.empty()
                    : Optional.of(Latency.ofNanos(micros * NANOS_OF_A_MICRO)),
                counted.hasFarEndThousandths()
                    ? OptionalInt.of(counted.getFarEndThousandths())
                    : OptionalInt.empty()))
        : Optional.empty();
  }
}
