package org.paceline.yang.restconf.message;

import com.google.gson.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happens, in order, for whoever listens (RFC 8040, section 6). All listeners read from one
 * log of the latest notifications, so who tells waits for nobody, and a listener who is so slow
 * that the log has left out what it should read next is at its end. Any thread may call.
 */
public final class EventStream implements AutoCloseable {
  public static final int KEPT = 1_000;
  public static final int MOST_LISTENERS = 20;

  private final String name;
  private final String description;
  private final Clock clock;
  private final Instant since;
  private final TreeMap<Long, Event> log = new TreeMap<>();
  private long added;
  private int listeners;
  private boolean closed;

  /** A notification as it is sent, and when it was made. */
  private static final class Event {
    private final Instant at;
    private final String text;

    Event(Instant at, String text) {
      this.at = at;
      this.text = text;
    }
  }

  public EventStream(String name, String description, Clock clock) {
    this.name = name;
    this.description = description;
    this.clock = clock;
    this.since = clock.instant();
  }

  public String name() {
    return name;
  }

  public String description() {
    return description;
  }

  /** When the log begins. */
  public Instant since() {
    return since;
  }

  /**
   * @param notification with its module's name
   */
  public synchronized void add(String notification, JsonObject content) {
    Instant at = clock.instant();
    JsonObject body = new JsonObject();
    body.addProperty("eventTime", at.toString());
    body.add(notification, content);
    JsonObject envelope = new JsonObject();
    envelope.add("ietf-restconf:notification", body);
    log.put(++added, new Event(at, envelope.toString()));
    if (log.size() > KEPT) {
      log.pollFirstEntry();
    }
    notifyAll();
  }

  /**
   * @param from what was told from then on is told again; empty to hear only what is new
   * @param until when the listener has heard enough
   * @throws RestconfError if there are many already, or the times are none to listen in
   */
  public synchronized Listener listen(Optional<Instant> from, Optional<Instant> until) {
    Instant now = clock.instant();
    if (from.isPresent() && from.get().isAfter(now)) {
      throw RestconfError.invalid(
          "The start-time ("
              + from.get()
              + ") is not over: it is "
              + now
              + ". Maybe leave it out.");
    }
    if (until.isPresent() && (from.isEmpty() || !until.get().isAfter(from.get()))) {
      throw RestconfError.invalid(
          "The stop-time (" + until.get() + ") needs a start-time that is before it.");
    }
    if (listeners == MOST_LISTENERS) {
      throw RestconfError.full(
          MOST_LISTENERS + " listen to (" + name + ") already. Maybe one of them can end.");
    }
    listeners++;
    long next = from.map(this::firstFrom).orElse(added + 1);
    return new Listener(next, until);
  }

  private long firstFrom(Instant from) {
    return log.entrySet().stream()
        .filter(entry -> !entry.getValue().at.isBefore(from))
        .findFirst()
        .map(Map.Entry::getKey)
        .orElse(added + 1);
  }

  /** Ends all who listen. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** One who listens, for one thread. */
  public final class Listener implements AutoCloseable {
    private final Optional<Instant> until;
    private long next;
    private boolean over;

    private Listener(long next, Optional<Instant> until) {
      this.next = next;
      this.until = until;
    }

    /**
     * The next notification, in JSON on one line; empty where there is none within this time, or it
     * is over.
     */
    public Optional<String> next(Duration patience) throws InterruptedException {
      synchronized (EventStream.this) {
        long giveUp = System.nanoTime() + patience.toNanos();
        Duration left = left(giveUp);
        while (!closed && next > added && left.compareTo(Duration.ZERO) > 0) {
          EventStream.this.wait(Math.max(1, left.toMillis()));
          left = left(giveUp);
        }
        return closed ? atTheEnd() : take(log.get(next), next <= added);
      }
    }

    /** Patience does not go by the time of day, which may be stepped; the end does. */
    private Duration left(long giveUp) {
      Duration left = Duration.ofNanos(giveUp - System.nanoTime());
      return until
          .map(end -> Duration.between(clock.instant(), end))
          .filter(toEnd -> toEnd.compareTo(left) < 0)
          .orElse(left);
    }

    /**
     * @param isTold whether the next was told, though it may be forgotten since
     */
    private Optional<String> take(@Nullable Event event, boolean isTold) {
      if (event != null && until.filter(event.at::isAfter).isEmpty()) {
        next++;
        return Optional.of(event.text);
      }
      boolean wasLeftOut = event == null && isTold;
      boolean heardEnough = until.filter(clock.instant()::isBefore).isEmpty() && until.isPresent();
      return event != null || wasLeftOut || heardEnough ? atTheEnd() : Optional.empty();
    }

    private Optional<String> atTheEnd() {
      over = true;
      return Optional.empty();
    }

    /** Whether nothing comes any more. */
    public boolean isOver() {
      return over;
    }

    @Override
    public void close() {
      synchronized (EventStream.this) {
        listeners--;
      }
    }
  }
}
