package org.paceline.gateway;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.control.directive.QueueCounts;
import org.paceline.control.directive.QueueShares;
import org.paceline.control.directive.SwitchPort;

/** What an agent says of a port that it can divide. */
@AutoValue
public abstract class PortReading {
  public abstract SwitchPort port();

  /** As read back from the kernel; empty where the port is one queue. */
  public abstract Optional<QueueShares> shares();

  /** By which elephants are told on a divided port. */
  public abstract int elephantDscp();

  /** Why it is not as it was told; empty where it is, or was told nothing. */
  public abstract String error();

  /** What its two queues have counted; empty where the agent does not say. */
  public abstract Optional<QueueCounts> counts();

  public static PortReading of(
      SwitchPort port,
      Optional<QueueShares> shares,
      int elephantDscp,
      String error,
      Optional<QueueCounts> counts) {
    return new AutoValue_PortReading(port, shares, elephantDscp, error, counts);
  }
}
