package org.paceline.agent.smallnetwork;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.paceline.agent.config.PeerSettings;
import org.paceline.agent.netlink.Nl80211;
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

  private final PeerSettings.Air settings;
  private final int link;
  private final String device;
  private final Path counters;
  private Optional<Nl80211> driver = Optional.empty();
  private boolean looked;
  private final Deque<Counts> counts = new ArrayDeque<>();

  /** What an interface has counted since it is there. */
  private record Counts(
      long receivedBytes, long receivedFrames, long sentBytes, long sentFrames, long nanos) {}

  /**
   * @param link the number of the air's name
   * @param counters normally /proc/net/dev
   */
  OwnStation(PeerSettings.Air settings, int link, String device, Path counters) {
    this.settings = settings;
    this.link = link;
    this.device = device;
    this.counters = counters;
  }

  /** Empty where it is behind the access point. */
  Optional<Announcement.Station> read(long nanos) throws IOException {
    Optional<Nl80211.Association> association = association();
    if (association.isEmpty()) {
      return Optional.empty();
    }
    Optional<Counts> now = counts(nanos);
    now.ifPresent(counts::addLast);
    while (counts.size() > READINGS + 1) {
      counts.removeFirst();
    }
    return Optional.of(
        new Announcement.Station(
            link,
            new Announcement.Frames(rate(association.get().sent()), payload(true)),
            new Announcement.Frames(rate(association.get().received()), payload(false))));
  }

  private Optional<Nl80211.Association> association() throws IOException {
    if (settings.association().isPresent()) {
      long same = settings.association().get().bitsPerSecond();
      return Optional.of(new Nl80211.Association(same, same));
    }
    if (!settings.wired() && !looked) {
      driver = Nl80211.open();
      looked = true;
    }
    return driver.isPresent() ? driver.get().association(device) : Optional.empty();
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
    Counts first = counts.getFirst();
    Counts last = counts.getLast();
    long frames =
        sent
            ? last.sentFrames() - first.sentFrames()
            : last.receivedFrames() - first.receivedFrames();
    long bytes =
        sent ? last.sentBytes() - first.sentBytes() : last.receivedBytes() - first.receivedBytes();
    if (frames * 1e9 < FEW_FRAMES * (double) (last.nanos() - first.nanos())) {
      return 0;
    }
    // What the kernel hands over in one piece leaves in several frames.
    long payload = bytes / frames - Air.ETHERNET_BYTES;
    return (int) Math.max(1, Math.min(Air.USUAL_PAYLOAD, payload));
  }

  private Optional<Counts> counts(long nanos) throws IOException {
    for (String line : Files.readAllLines(counters, StandardCharsets.US_ASCII)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).trim().equals(device)) {
        String[] fields = line.substring(colon + 1).trim().split("\\s+", -1);
        return Optional.of(
            new Counts(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[8]),
                Long.parseLong(fields[9]),
                nanos));
      }
    }
    counts.clear();
    return Optional.empty();
  }

  @Override
  public void close() {
    driver.ifPresent(Nl80211::close);
  }
}
