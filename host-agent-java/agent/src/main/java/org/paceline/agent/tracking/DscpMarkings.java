package org.paceline.agent.tracking;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.Trait;
import org.paceline.agent.sockets.TypeOfService;

/**
 * How sockets' packets are marked (DSCP), where rules ask for it. A socket is looked at when it is
 * named and again, ever more seldom, in its first two minutes: many are marked only when they are
 * connected. Owned by one thread.
 */
public final class DscpMarkings implements Closeable {
  private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;
  private static final long LAST_PAUSE_NANOS = 64 * FIRST_PAUSE_NANOS;
  private static final int DSCP = 2;

  private final Optional<TypeOfService> kernel;
  private final LongSupplier nanoClock;
  private final Map<Flow, Optional<Integer>> known = new HashMap<>();
  private final Map<Flow, Due> young = new HashMap<>();

  /** When it is looked at again, and how long that is after the last time. */
  private record Due(long nanos, long pause) {
    static Due after(long pause, long now) {
      return new Due(now + pause, pause);
    }
  }

  private DscpMarkings(Optional<TypeOfService> kernel, LongSupplier nanoClock) {
    this.kernel = kernel;
    this.nanoClock = nanoClock;
  }

  public static DscpMarkings open(RuleSet rules) throws IOException {
    return new DscpMarkings(
        rules.asking(Trait.DSCP) == 0 ? Optional.empty() : Optional.of(TypeOfService.open()),
        System::nanoTime);
  }

  /** The code point, from 0 to 63, as last looked at; empty where no rule asks. */
  public Optional<Integer> of(Flow either) {
    Flow flow = either.outgoing();
    if (kernel.isEmpty()) {
      return Optional.empty();
    }
    Optional<Integer> now = Optional.ofNullable(known.get(flow)).orElseGet(() -> look(flow));
    if (known.putIfAbsent(flow, now) == null) {
      young.put(flow, Due.after(FIRST_PAUSE_NANOS, nanoClock.getAsLong()));
    }
    return now;
  }

  private Optional<Integer> look(Flow flow) {
    try {
      return kernel.isEmpty()
          ? Optional.empty()
          : kernel.get().of(flow).map(octet -> octet >> DSCP);
    } catch (IOException e) {
      // As with a kernel that does not tell.
      return Optional.empty();
    }
  }

  /** Looks again at those whose time has come; which are marked otherwise now. */
  Set<Flow> lookAgain() {
    Set<Flow> changed = new HashSet<>();
    long now = nanoClock.getAsLong();
    for (Map.Entry<Flow, Due> one : young.entrySet()) {
      if (one.getValue().nanos() - now <= 0) {
        Optional<Integer> marking = look(one.getKey());
        if (!marking.equals(known.put(one.getKey(), marking))) {
          changed.add(one.getKey());
        }
        one.setValue(Due.after(2 * one.getValue().pause(), now));
      }
    }
    young.values().removeIf(due -> due.pause() > LAST_PAUSE_NANOS);
    return changed;
  }

  /** The others are no more. */
  void keep(Predicate<Flow> open) {
    known.keySet().removeIf(open.negate());
    young.keySet().removeIf(open.negate());
  }

  @Override
  public void close() {
    kernel.ifPresent(TypeOfService::close);
  }
}
