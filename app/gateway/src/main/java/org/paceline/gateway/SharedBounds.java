package org.paceline.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.paceline.control.model.Alarm;
import org.paceline.gateway.flood.MessageRate;

/**
 * How much all agents together may have. Beyond it whoever is new is refused, with an alarm; what
 * is here stays. A host has a part of its own, far beyond what it needs on a busy day, which nobody
 * else can take: so agents do not notice when some of them take all that is shared. O(1); any
 * thread may ask.
 */
final class SharedBounds {
  static final int MOST_STREAMS = 4_000;
  static final int MOST_HOSTS = 2_000;
  static final int MOST_CONVERSATIONS = 60_000;
  static final int MESSAGES_A_SECOND = 10_000;

  /** Conversations of each host, both ways, that do not count among those of all. */
  static final int OWN_CONVERSATIONS = 50;

  /** So do these messages a second of each agent not, and so many at once. */
  static final int OWN_MESSAGES_A_SECOND = 100;

  static final int OWN_MESSAGES_AT_ONCE = 1_000;

  /** So long the alarm stands after somebody was refused. */
  private static final Duration SHOWN = Duration.ofSeconds(60);

  private final int mostStreams;
  private final int mostHosts;
  private final int mostConversations;
  private final MessageRate messages;
  private final LongSupplier nanos;
  private int streams;
  private int conversations;
  private Optional<Reached> reached = Optional.empty();

  private static final class Reached {
    final String what;
    final Instant since;
    final long lastNanos;

    Reached(String what, Instant since, long lastNanos) {
      this.what = what;
      this.since = since;
      this.lastNanos = lastNanos;
    }

    boolean isOver(long now) {
      return now - lastNanos > SHOWN.toNanos();
    }
  }

  SharedBounds() {
    this(MOST_STREAMS, MOST_HOSTS, MOST_CONVERSATIONS, MESSAGES_A_SECOND, System::nanoTime);
  }

  /**
   * @param mostStreams that are open, whether their agents have said who they are or not
   * @param mostHosts whose agents are attached
   * @param mostConversations beside what each host has of its own
   * @param aSecond messages that are taken beside what each agent has of its own
   * @param nanos a clock that is never set
   */
  SharedBounds(
      int mostStreams, int mostHosts, int mostConversations, int aSecond, LongSupplier nanos) {
    this.mostStreams = mostStreams;
    this.mostHosts = mostHosts;
    this.mostConversations = mostConversations;
    this.messages = new MessageRate(aSecond, aSecond);
    this.nanos = nanos;
  }

  /** Why there is no room for one stream more; else it is open from now on. */
  synchronized Optional<String> openStream() {
    if (streams >= mostStreams) {
      return Optional.of(refusal("streams of agents", streams));
    }
    streams++;
    return Optional.empty();
  }

  synchronized void closeStream() {
    streams--;
  }

  /**
   * Why there is no room for one host more.
   *
   * @param attached hosts already
   */
  synchronized Optional<String> refusalOfHost(int attached) {
    return attached >= mostHosts
        ? Optional.of(refusal("hosts with an agent", attached))
        : Optional.empty();
  }

  /**
   * Why a host may not have one conversation more.
   *
   * @param own those it has already
   */
  synchronized Optional<String> refusalOfConversation(int own) {
    return own >= OWN_CONVERSATIONS && conversations >= mostConversations
        ? Optional.of(refusal("conversations of all hosts beyond their first few", conversations))
        : Optional.empty();
  }

  /** A host has another number of conversations now. */
  synchronized void counted(int before, int now) {
    conversations += shared(now) - shared(before);
  }

  private static int shared(int own) {
    return Math.max(0, own - OWN_CONVERSATIONS);
  }

  /**
   * Counts a message of an agent that says more than what is its own.
   *
   * @return nanoseconds after which its next one is to be taken
   */
  synchronized long taken(long now) {
    long wait = messages.taken(now);
    if (wait > 0) {
      reach("messages that all agents say in a second");
    }
    return wait;
  }

  private String refusal(String what, int many) {
    reach(what + " (" + many + ")");
    return "There are ("
        + many
        + ") "
        + what
        + ", and no more are taken by this controller. What is here stays. Maybe see in its log"
        + " which host has so many.";
  }

  private void reach(String what) {
    long now = nanos.getAsLong();
    Instant since =
        reached.filter(one -> !one.isOver(now)).map(one -> one.since).orElseGet(Instant::now);
    reached = Optional.of(new Reached(what, since, now));
  }

  synchronized List<Alarm> alarms() {
    long now = nanos.getAsLong();
    return reached
        .filter(one -> !one.isOver(now))
        .map(
            one ->
                List.of(
                    Alarm.ofAgents(
                        "All agents together have as much as this controller takes of: "
                            + one.what
                            + ". Who is new is refused, or waits; who is here goes on.",
                        one.since)))
        .orElseGet(List::of);
  }
}
