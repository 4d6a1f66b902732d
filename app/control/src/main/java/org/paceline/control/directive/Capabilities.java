package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.Transport;
import org.paceline.control.model.Unserved;

/**
 * What one device can do to carry out directives, as it says itself and as its operator says where
 * it does not. A device is an agent's host or a switch; a host meters nothing, a switch paces
 * nothing.
 */
@AutoValue
public abstract class Capabilities {
  /** This agent paces TCP sockets one by one, and nothing else. */
  private static final String SOCKET = "socket";

  /** The id of the host or the switch. */
  public abstract String device();

  /** How the agent keeps conversations to their rates, such as htb; empty where it cannot. */
  public abstract Optional<String> pacing();

  /** Whether the agent limits what its host receives. */
  public abstract boolean limitsIncoming();

  /** Whether the agent lets conversations of an interface borrow from each other. */
  public abstract boolean pools();

  /** How many drop meters the switch has; empty where it does not say. */
  public abstract Optional<Long> meters();

  /** How many of them its operator allows. */
  public abstract long metersAllowed();

  /** How many rules conversations may have in its table. */
  public abstract int rulesAllowed();

  /** The size of its first table; empty where it does not say. */
  public abstract Optional<Long> tableSize();

  /** The queue of its ports for managed traffic; empty where it honours no queues. */
  public abstract Optional<Integer> managedQueue();

  /** Who divides its ports between elephants and others; empty where nobody does. */
  public abstract Optional<PortScheduler> scheduler();

  /**
   * @param enforcer empty where the agent holds no rates
   */
  public static Capabilities ofAgent(
      String host, String enforcer, boolean limitsIncoming, boolean pools) {
    return new AutoValue_Capabilities.Builder()
        .device(host)
        .pacing(Optional.of(enforcer).filter(how -> !how.isEmpty()))
        .limitsIncoming(limitsIncoming)
        .pools(pools)
        .meters(Optional.of(0L))
        .metersAllowed(0)
        .rulesAllowed(0)
        .build();
  }

  /** A switch. */
  public static Builder ofSwitch(String id) {
    return new AutoValue_Capabilities.Builder()
        .device(id)
        .limitsIncoming(false)
        .pools(false)
        .meters(Optional.empty())
        .tableSize(Optional.empty())
        .managedQueue(Optional.empty())
        .scheduler(Optional.empty());
  }

  /** Who is to hold what the agent's host sends by this protocol: the agent if it can. */
  public final Enforcement outgoing(Transport transport) {
    return pacing().filter(how -> !how.equals(SOCKET) || transport != Transport.UDP).isPresent()
        ? Enforcement.AGENT
        : Enforcement.FIRST_HOP;
  }

  /** Who is to hold what the agent's host receives. */
  public final Enforcement incoming() {
    return limitsIncoming() ? Enforcement.RECEIVER : Enforcement.FIRST_HOP;
  }

  /**
   * Why the switch cannot meter one conversation more; empty where it can.
   *
   * @param used how many conversations have
   * @param others how many others have
   */
  public final Optional<Unserved> refusesMeter(long used, long others) {
    if (meters().filter(held -> held == 0).isPresent()) {
      return Optional.of(Unserved.of(Unserved.Code.NO_METERS, device()));
    }
    long allowed = Math.min(metersAllowed(), meters().orElse(Long.MAX_VALUE) - others);
    return used < allowed
        ? Optional.empty()
        : Optional.of(Unserved.of(Unserved.Code.METERS_IN_USE, device(), allowed));
  }

  /** Builds the capabilities of a switch. */
  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder device(String id);

    abstract Builder pacing(Optional<String> how);

    abstract Builder limitsIncoming(boolean limits);

    abstract Builder pools(boolean lets);

    public abstract Builder meters(Optional<Long> meters);

    public abstract Builder metersAllowed(long meters);

    public abstract Builder rulesAllowed(int rules);

    public abstract Builder tableSize(Optional<Long> rules);

    public abstract Builder managedQueue(Optional<Integer> queue);

    public abstract Builder scheduler(Optional<PortScheduler> scheduler);

    public abstract Capabilities build();
  }
}
