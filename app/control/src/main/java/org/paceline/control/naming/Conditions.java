package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.intents.unit.Dscp;

/** What a rule asks of a packet; those that are present must all hold. */
@AutoValue
public abstract class Conditions {
  abstract Optional<MacSet> localMac();

  abstract Optional<Integer> vlan();

  abstract Optional<AddressSet> localAddress();

  abstract Optional<AddressSet> remoteAddress();

  /** TCP or UDP. */
  abstract Optional<Transport> protocol();

  abstract Optional<PortRanges> localPort();

  abstract Optional<PortRanges> remotePort();

  abstract Optional<Integer> dscp();

  static Builder builder() {
    return new AutoValue_Conditions.Builder();
  }

  /** For a person. */
  public final String text() {
    List<String> asked = new ArrayList<>();
    localMac().ifPresent(macs -> asked.add("localMac " + macs));
    vlan().ifPresent(vlan -> asked.add("vlan " + vlan));
    localAddress().ifPresent(set -> asked.add("localAddress " + set));
    remoteAddress().ifPresent(set -> asked.add("remoteAddress " + set));
    protocol().ifPresent(t -> asked.add(t.name().toLowerCase(Locale.ROOT)));
    localPort().ifPresent(ports -> asked.add("localPort " + ports));
    remotePort().ifPresent(ports -> asked.add("remotePort " + ports));
    dscp().ifPresent(dscp -> asked.add("dscp " + Dscp.text(dscp)));
    return asked.isEmpty() ? "all" : String.join("; ", asked);
  }

  boolean match(PacketFacts packet) {
    return endsMatch(packet)
        && protocol().map(packet.transport()::equals).orElse(true)
        && portMatches(localPort(), packet.transport(), packet.localPort())
        && portMatches(remotePort(), packet.transport(), packet.remotePort())
        && dscp().map(wanted -> wanted == packet.dscp()).orElse(true);
  }

  /** All that packets of the same two hosts have in common. */
  private boolean endsMatch(PacketFacts packet) {
    return localMac().map(macs -> macs.contains(packet.mac())).orElse(true)
        && vlan().map(wanted -> packet.vlan().equals(Optional.of(wanted))).orElse(true)
        && localAddress().map(set -> set.contains(packet.local())).orElse(true)
        && remoteAddress().map(set -> set.contains(packet.remote())).orElse(true);
  }

  private static boolean portMatches(Optional<PortRanges> wanted, Transport transport, int port) {
    return wanted.map(ports -> transport != Transport.ANY && ports.contains(port)).orElse(true);
  }

  /** Whether they hold for all packets between the hosts of one for which they hold. */
  boolean matchAllOf(PacketMatch all) {
    return dscp().isEmpty()
        && (protocol().isEmpty() || all.transport() != Transport.ANY)
        && (localPort().isEmpty() || all.localPort() != 0)
        && (remotePort().isEmpty() || all.remotePort() != 0);
  }

  /**
   * Whether they may hold for one of these packets between the hosts of this one, however that is
   * marked.
   */
  boolean mayMatchOneOf(PacketMatch all, PacketFacts packet) {
    boolean protocol =
        protocol()
            .map(wanted -> all.transport() == Transport.ANY || all.transport() == wanted)
            .orElse(true);
    return endsMatch(packet)
        && protocol
        && mayMatch(localPort(), all.localPort())
        && mayMatch(remotePort(), all.remotePort());
  }

  private static boolean mayMatch(Optional<PortRanges> wanted, int port) {
    return port == 0 || wanted.map(ports -> ports.contains(port)).orElse(true);
  }

  /** Whether they hold wherever the others do; false where that is not certain. */
  boolean cover(Conditions other) {
    return covers(localMac(), other.localMac(), MacSet::covers)
        && covers(vlan(), other.vlan(), Integer::equals)
        && covers(localAddress(), other.localAddress(), AddressSet::covers)
        && covers(remoteAddress(), other.remoteAddress(), AddressSet::covers)
        && covers(protocol(), other.protocol(), Transport::equals)
        && covers(localPort(), other.localPort(), PortRanges::covers)
        && covers(remotePort(), other.remotePort(), PortRanges::covers)
        && covers(dscp(), other.dscp(), Integer::equals);
  }

  private static <T> boolean covers(Optional<T> mine, Optional<T> other, BiPredicate<T, T> covers) {
    return mine.isEmpty() || other.isPresent() && covers.test(mine.get(), other.get());
  }

  /** Builds conditions. */
  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder localMac(Optional<MacSet> macs);

    abstract Builder vlan(Optional<Integer> vlan);

    abstract Builder localAddress(Optional<AddressSet> addresses);

    abstract Builder remoteAddress(Optional<AddressSet> addresses);

    abstract Builder protocol(Optional<Transport> protocol);

    abstract Builder localPort(Optional<PortRanges> ports);

    abstract Builder remotePort(Optional<PortRanges> ports);

    abstract Builder dscp(Optional<Integer> dscp);

    abstract Conditions build();
  }
}
