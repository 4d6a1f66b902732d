package org.paceline.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.paceline.agent.sense.Sighting;

/** First packets on their way to the loop: those that come while it is busy are taken together. */
final class Sightings {
  private final Queue<Sighting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean announced = new AtomicBoolean();

  /** From any thread; whether somebody has to be told to take. */
  boolean add(Sighting sighting) {
    waiting.add(sighting);
    return announced.compareAndSet(false, true);
  }

  List<Sighting> take() {
    announced.set(false);
    List<Sighting> taken = new ArrayList<>();
    for (Optional<Sighting> next = Optional.ofNullable(waiting.poll());
        next.isPresent();
        next = Optional.ofNullable(waiting.poll())) {
      taken.add(next.get());
    }
    return taken;
  }
}
