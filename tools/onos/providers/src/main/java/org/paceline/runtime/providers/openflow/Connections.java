package org.paceline.runtime.providers.openflow;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of each switch's connections one after the other, and with a pause between two.
 *
 * <p>The controller has a thread for each connection, and a switch may connect anew before it is
 * told here that its connection before has ended. Told in that order ONOS would hold the ports of a
 * connected switch for down. And where nobody is a switch's master for a few milliseconds only,
 * ONOS's store of flow rules may hear of that last, and refuse all its rules for good. So a switch
 * is not there for ONOS during the pause: else ONOS would be its master again at once.
 */
final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  /**
   * Longer than what ONOS tells its own stores is under way, also where the processor that does it
   * is taken away for some tenths of a second.
   */
  static final int APART_MILLIS = 1_000;

  /** What could not be told, such as while a store has no majority, is told after that. */
  static final int AGAIN_MILLIS = 5_000;

  private final Switches switches;
  private final BiConsumer<Integer, Runnable> later;
  private final Map<DeviceId, Connection> connections = new ConcurrentHashMap<>();

  /** Is told of them. */
  interface Listener {
    /** A switch that was not there. */
    void came(OpenFlowSwitch of);

    /** It may be told to have come once more before that. */
    void went(DeviceId device);
  }

  /** What was told of a switch. */
  private static final class Connection {
    volatile @Nullable OpenFlowSwitch there;
    boolean isPausing;
  }

  /**
   * @param later runs a task after so many milliseconds
   */
  Connections(Switches switches, BiConsumer<Integer, Runnable> later) {
    this.switches = switches;
    this.later = later;
  }

  /** Whether a switch was told to be there, and is connected. */
  boolean isThere(DeviceId device) {
    return Optional.ofNullable(connections.get(device))
        .map(told -> told.there)
        .filter(OpenFlowSwitch::isConnected)
        .isPresent();
  }

  void begun(DeviceId device, Listener listener) {
    Connection told = connections.computeIfAbsent(device, absent -> new Connection());
    synchronized (told) {
      tell(device, told, listener);
    }
  }

  void ended(DeviceId device, Listener listener) {
    Connection told = connections.computeIfAbsent(device, absent -> new Connection());
    synchronized (told) {
      told.there = null;
      try {
        listener.went(device);
      } finally {
        pause(APART_MILLIS, device, told, listener);
      }
    }
  }

  private void pause(int millis, DeviceId device, Connection told, Listener listener) {
    if (!told.isPausing) {
      told.isPausing = true;
      later.accept(millis, () -> paused(device, told, listener));
    }
  }

  private void paused(DeviceId device, Connection told, Listener listener) {
    synchronized (told) {
      told.isPausing = false;
      tell(device, told, listener);
    }
  }

  private void tell(DeviceId device, Connection told, Listener listener) {
    if (told.isPausing) {
      return;
    }
    Optional<OpenFlowSwitch> now = switches.find(device).filter(of -> of != told.there);
    if (now.isPresent()) {
      told.there = now.get();
      try {
        listener.came(now.get());
      } catch (RuntimeException failure) {
        LOG.warn("ONOS could not be told that {} is there; it is once more.", device, failure);
        told.there = null;
        pause(AGAIN_MILLIS, device, told, listener);
      }
    }
  }
}
