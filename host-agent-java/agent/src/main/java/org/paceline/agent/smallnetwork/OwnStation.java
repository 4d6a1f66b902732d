package org.paceline.agent.smallnetwork;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.paceline.agent.config.PeerSettings;
import org.paceline.agent.netlink.Nl80211;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.sockets.InterfaceCounts;
import org.paceline.allocator.virtualqueue.WirelessLink;
import org.paceline.intents.unit.DataRate;

/**
 * How this host is part of the air: at which rates it is associated, by its settings or as its
 * interface says, and how long the frames are that it sends and receives. Owned by one thread.
 */
final class OwnStation implements Closeable {
  /** Fewer frames in a second are no reason for others to expect collisions. */
  private static final long FEW_FRAMES = 20;

  // Counted over so many readings before this one.
  private static final int READINGS = 2;

  /** A host that roams has no access point for a moment, and is a station all the same. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  /** A driver that does not answer would hold up everything else. */
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(30);

  private final PeerSettings.Air settings;
  private final int link;
  private final String device;
  private final Path counters;
  private final Deque<Counted> counts = new ArrayDeque<>();
  private Optional<Nl80211> driver = Optional.empty();
  private Optional<Nl80211.Association> last = Optional.empty();
  private long lastNanos;
  private Optional<Long> askNanos = Optional.empty();
  private String trouble = "";

  private record Counted(InterfaceCounts counts, long nanos) {}

  /**
   * @param link the number of the air
   * @param counters normally /proc/net/dev
   */
  OwnStation(PeerSettings.Air settings, int link, String device, Path counters) {
    this.settings = settings;
    this.link = link;
    this.device = device;
    this.counters = counters;
  }

  /** Empty where it is behind the access point. */
  Optional<Announcement.Station> read(long nanos, Console console) {
    String before = trouble;
    trouble = "";
    Optional<Nl80211.Association> association = association(nanos);
    if (association.isPresent()) {
      count(nanos);
    } else {
      counts.clear();
    }
    if (!trouble.isEmpty() && !trouble.equals(before)) {
      console.say(trouble);
    }
    return association.map(
        one ->
            new Announcement.Station(
                link,
                new Announcement.Frames(rate(one.sent()), payload(true)),
                new Announcement.Frames(rate(one.received()), payload(false))));
  }

  private Optional<Nl80211.Association> association(long nanos) {
    if (settings.wired()) {
      return Optional.empty();
    }
    if (settings.association().isPresent()) {
      long same = settings.association().get().bitsPerSecond();
      return Optional.of(new Nl80211.Association(same, same));
    }
    Optional<Nl80211.Association> now = ask(nanos);
    if (now.isPresent()) {
      last = now;
      lastNanos = nanos;
    } else if (nanos - lastNanos > KEPT.toNanos()) {
      last = Optional.empty();
    }
    return last;
  }

  private Optional<Nl80211.Association> ask(long nanos) {
    if (askNanos.isPresent() && nanos - askNanos.get() < 0) {
      return Optional.empty();
    }
    askNanos = Optional.empty();
    try {
      if (driver.isEmpty()) {
        driver = Nl80211.open();
      }
      if (driver.isPresent()) {
        return driver.get().association(device);
      }
    } catch (IOException e) {
      close();
      trouble = device + " does not say how it is associated: " + e.getMessage();
    }
    askNanos = Optional.of(nanos + ASKED_AGAIN.toNanos());
    return Optional.empty();
  }

  /** A host far away may speak 802.11b, which takes even longer. */
  private static DataRate rate(long bitsPerSecond) {
    DataRate rate = DataRate.ofBitsPerSecond(bitsPerSecond);
    return rate.compareTo(WirelessLink.LEAST_RATE) < 0 ? WirelessLink.LEAST_RATE : rate;
  }

  /** Of a packet, on average; 0 where there were hardly any. */
  private int payload(boolean sent) {
    if (counts.size() < 2) {
      return 0;
    }
    InterfaceCounts first = counts.getFirst().counts();
    InterfaceCounts last = counts.getLast().counts();
    long nanos = counts.getLast().nanos() - counts.getFirst().nanos();
    long frames =
        sent
            ? last.sentFrames() - first.sentFrames()
            : last.receivedFrames() - first.receivedFrames();
    long bytes =
        sent ? last.sentBytes() - first.sentBytes() : last.receivedBytes() - first.receivedBytes();
    if (frames * 1e9 < FEW_FRAMES * (double) nanos) {
      return 0;
    }
    // What the kernel hands over in one piece leaves in several frames.
    long payload = bytes / frames - Air.ETHERNET_BYTES;
    return (int) Math.max(1, Math.min(Air.USUAL_PAYLOAD, payload));
  }

  private void count(long nanos) {
    try {
      InterfaceCounts now = InterfaceCounts.read(counters).get(device);
      // An interface that was made anew counts from nothing.
      if (now == null || !counts.isEmpty() && isLess(now, counts.getLast().counts())) {
        counts.clear();
      }
      if (now != null) {
        counts.addLast(new Counted(now, nanos));
      }
      while (counts.size() > READINGS + 1) {
        counts.removeFirst();
      }
    } catch (IOException e) {
      counts.clear();
      trouble = "the frames of " + device + " are not counted: " + e.getMessage();
    }
  }

  private static boolean isLess(InterfaceCounts now, InterfaceCounts before) {
    return now.sentFrames() < before.sentFrames() || now.receivedFrames() < before.receivedFrames();
  }

  @Override
  public void close() {
    driver.ifPresent(Nl80211::close);
    driver = Optional.empty();
  }
}
