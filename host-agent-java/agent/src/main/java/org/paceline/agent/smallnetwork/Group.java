package org.paceline.agent.smallnetwork;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * What this host sends under one weight over the same links: a flow of the paper. All of its
 * conversations, be they hundreds, share one rate. Owned by one thread.
 */
final class Group {
  /** Below it no packet leaves for seconds. */
  private static final double LEAST_BITS_PER_SECOND = 2_000;

  private static final double LEAST_TRIM = 0.25;

  private final Key key;
  private final double weight;
  private final Duration window;
  private final Meter meter;
  private final Set<Part> parts = new LinkedHashSet<>();
  private double rate;
  private int binding;
  // Parts may all take up at once what each was let to have alone: what they send too much in sum
  // is taken off until it is right.
  private double trim = 1;

  /**
   * @param holder the intent whose weight it has
   * @param links the numbers of those that it goes over, in order
   * @param way through the air, where that is one of them
   */
  record Key(IntentPath holder, List<Integer> links, Optional<Air.Way> way) {}

  /** One conversation of it. */
  final class Part {
    private final Meter own;
    private double rate;
    private boolean waiting;

    private Part(double bitsPerSecond, long nanos) {
      own = new Meter(window, nanos);
      allow(bitsPerSecond, nanos);
    }

    Group group() {
      return Group.this;
    }

    /** What it may send. */
    double rate() {
      return rate;
    }

    void allow(double bitsPerSecond, long nanos) {
      rate = bitsPerSecond;
      own.allow(bitsPerSecond, nanos);
    }

    /**
     * @param waits whether some of it waits for its turn
     */
    void sent(double bits, boolean waits, long nanos) {
      waiting = waits;
      own.sent(bits, nanos);
      meter.sent(bits, nanos);
    }

    private boolean isHungry() {
      return Appetite.isHungry(own, waiting);
    }

    /**
     * What it may send of the group's rate: what the sated ones leave, evenly among those that want
     * more, of whom it is one as soon as it wants to be.
     */
    double share() {
      double whole = Group.this.rate * trim;
      double satedSent = 0;
      int hungry = 1;
      int active = 1;
      for (Part other : parts) {
        double sent = other.own.sentBitsPerSecond();
        if (other == this || sent <= 0 && !other.waiting) {
          continue;
        }
        active++;
        if (other.isHungry()) {
          hungry++;
        } else {
          satedSent += sent;
        }
      }
      double left = Math.max((whole - satedSent) / hungry, whole / active);
      return Math.max(LEAST_BITS_PER_SECOND, left);
    }

    void leave() {
      parts.remove(this);
    }
  }

  Group(Key key, double weight, Duration window, long nanos) {
    this.key = key;
    this.weight = weight;
    this.window = window;
    this.meter = new Meter(window, nanos);
  }

  Key key() {
    return key;
  }

  double weight() {
    return weight;
  }

  /** What all of it may send. */
  DataRate rate() {
    return DataRate.ofBitsPerSecond((long) rate);
  }

  DataRate sent() {
    return DataRate.ofBitsPerSecond((long) meter.sentBitsPerSecond());
  }

  int conversations() {
    return parts.size();
  }

  boolean isHungry() {
    return Appetite.isHungry(meter, parts.stream().anyMatch(part -> part.waiting));
  }

  /** A conversation is there, with the rate that it has. */
  Part join(double bitsPerSecond, long nanos) {
    Part part = new Part(bitsPerSecond, nanos);
    parts.add(part);
    return part;
  }

  /** Whether it would send more if this link had more for it. */
  boolean isHungryOn(int link) {
    return link == binding && meter.sentBitsPerSecond() > 0 && isHungry();
  }

  /**
   * What it takes of one of its links; nothing where it has sent nothing.
   *
   * @param weight that it counts with there
   */
  ResourceUse use(int link, double weight) {
    double sent = meter.sentBitsPerSecond();
    if (sent <= 0) {
      return ResourceUse.NONE;
    }
    if (isHungryOn(link)) {
      // What it sends at the rate that it has by now: the window has seen others.
      double now = rate * Math.min(1.1, meter.usedPart());
      return ResourceUse.hungry(weight, DataRate.ofBitsPerSecond((long) now));
    }
    return ResourceUse.sated(weight, DataRate.ofBitsPerSecond((long) sent));
  }

  /**
   * From now on all of it may send this.
   *
   * @param link the one that offers least
   */
  void offer(DataRate offered, int link, long nanos) {
    double overshoot = Math.max(0.5, meter.usedPart());
    trim = Math.max(LEAST_TRIM, Math.min(1, trim / Math.sqrt(overshoot)));
    rate = Math.max(LEAST_BITS_PER_SECOND, offered.bitsPerSecond());
    binding = link;
    meter.allow(rate, nanos);
  }

  /** What it was granted by somebody else. */
  void isGranted(long nanos) {
    rate = parts.stream().mapToDouble(part -> part.rate).sum();
    meter.allow(rate, nanos);
  }
}
