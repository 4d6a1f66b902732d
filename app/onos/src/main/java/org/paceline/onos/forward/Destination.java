package org.paceline.onos.forward;

import com.google.auto.value.AutoValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** A host, and all that the rules towards it follow from: where it is equal, they are equal. */
@AutoValue
abstract class Destination {
  abstract MacAddress mac();

  /** Whether its neighbours look for it as IPv6 does, too. */
  abstract boolean hasIpv6();

  /** The edge port that it is behind. */
  abstract ConnectPoint at();

  /** By which port every other switch sends what is for it. */
  abstract Map<DeviceId, PortNumber> ways();

  abstract Marks marks();

  /** The switches that show packets to the controller by {@link ControllerTable}. */
  abstract Set<DeviceId> metered();

  final boolean isMetered(DeviceId device) {
    return metered().contains(device);
  }

  /** By which port a switch sends what is for it, its own one, too; empty without a way. */
  final Optional<PortNumber> port(DeviceId device) {
    return device.equals(at().deviceId())
        ? Optional.of(at().port())
        : Optional.ofNullable(ways().get(device));
  }

  /** Whether its rules at a switch match the same packets as those of another do there. */
  final boolean isMatchedAlike(DeviceId device, Destination other) {
    return mac().equals(other.mac())
        && hasIpv6() == other.hasIpv6()
        && (marks() == other.marks() || marks().areTakenAlike(device, other.marks()));
  }

  static Destination of(
      MacAddress mac,
      boolean hasIpv6,
      ConnectPoint at,
      Map<DeviceId, PortNumber> ways,
      Marks marks,
      Set<DeviceId> metered) {
    return new AutoValue_Destination(mac, hasIpv6, at, ways, marks, metered);
  }

  /** The marks of senders that are taken off. */
  @AutoValue
  abstract static class Marks {
    /** At every switch; 0 for none. */
    abstract int managedDscp();

    /** At switches with ports for hosts; 0 for none. */
    abstract int elephantDscp();

    /** The switches with ports for hosts, where elephants' marks are taken off at all. */
    abstract Set<DeviceId> edges();

    /** Whether a switch takes off the same marks by both. */
    final boolean areTakenAlike(DeviceId device, Marks other) {
      return managedDscp() == other.managedDscp()
          && elephantDscp() == other.elephantDscp()
          && edges().contains(device) == other.edges().contains(device);
    }

    static Marks of(int managedDscp, int elephantDscp, Set<DeviceId> edges) {
      return new AutoValue_Destination_Marks(
          managedDscp, elephantDscp, elephantDscp > 0 ? edges : Set.of());
    }
  }
}
