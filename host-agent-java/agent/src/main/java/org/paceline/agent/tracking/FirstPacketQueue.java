package org.paceline.agent.tracking;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.paceline.agent.flow.FirstPacket;

/** First packets on their way to the loop: those that come while it is busy are taken together. */
public final class FirstPacketQueue {
  private final Queue<FirstPacket> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean announced = new AtomicBoolean();

  /** From any thread; whether somebody has to be told to take. */
  public boolean add(FirstPacket sighting) {
    waiting.add(sighting);
    return announced.compareAndSet(false, true);
  }

  public List<FirstPacket> take() {
    announced.set(false);
    List<FirstPacket> taken = new ArrayList<>();
    for (Optional<FirstPacket> next = Optional.ofNullable(waiting.poll());
        next.isPresent();
        next = Optional.ofNullable(waiting.poll())) {
      taken.add(next.get());
    }
    return taken;
  }
}
