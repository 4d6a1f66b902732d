package org.paceline.onos.telemetry;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;

/** Switches, asked for the counters of all their ports at once, and of all their queues. */
public interface PortQuestions {
  /**
   * By the port's number; empty where nobody here can ask it, and then what ONOS polls must do. The
   * answer fails where the switch does not answer within a second.
   */
  Optional<CompletableFuture<Map<Long, PortCount>>> ports(DeviceId device);

  /**
   * How many packets all queues of a port have dropped, by the port's number; what a switch says of
   * no queues is nothing. Empty and failing as {@link #ports}.
   */
  Optional<CompletableFuture<Map<Long, Long>>> queues(DeviceId device);
}
