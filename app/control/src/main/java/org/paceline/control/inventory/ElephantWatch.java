package org.paceline.control.inventory;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.settings.ElephantSettings;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.SchemeName;

/**
 * Who is an elephant though its branch does not say so: whose addresses are listed, and who turns
 * out to be one while it runs, for it sends much at once by what its enforcer counts. Yan et al.
 * 2013 leave that open (experiment 7): an elephant that nobody knows of hurts all others until it
 * ends.
 *
 * <p>One that is found stays an elephant until it ends. Its rate may fall only because others came,
 * and to lead it to and fro would reorder its packets each time. On the worker; any thread may ask
 * who is one.
 */
public final class ElephantWatch {
  private final Map<ConversationId, Deque<Reading>> sent = new HashMap<>();
  private final Set<ConversationId> found = ConcurrentHashMap.newKeySet();
  private volatile ElephantSettings settings;

  /** What was counted up to a moment. */
  private static final class Reading {
    final Instant at;
    final long bytes;

    Reading(Instant at, long bytes) {
      this.at = at;
      this.bytes = bytes;
    }
  }

  public ElephantWatch(ElephantSettings settings) {
    this.settings = settings;
  }

  /**
   * By these settings from now on.
   *
   * @return whether others may be elephants than before
   */
  public boolean goBy(ElephantSettings changed) {
    boolean isOther =
        !changed.branches().equals(settings.branches())
            || !changed.pairs().equals(settings.pairs())
            || !changed.found().equals(settings.found());
    settings = changed;
    return isOther;
  }

  /** Whether there is any branch whose conversations may become elephants. */
  public boolean isWatching() {
    return !settings.branches().isEmpty();
  }

  /** The policy of a conversation, as an elephant's where it is listed or was found to be one. */
  public EffectivePolicy ruling(Conversation conversation, EffectivePolicy policy) {
    return found.contains(conversation.id()) && isWatched(policy)
            || isListed(conversation)
            || isFoundByRecords(conversation, policy)
        ? policy.ruledBy(SchemeName.ELEPHANT_ISOLATION)
        : policy;
  }

  /**
   * An enforcer has counted it.
   *
   * @param policy its branch's
   * @return whether it is an elephant from now on, and was none
   */
  public boolean counted(Instant at, Counters counters, EffectivePolicy policy) {
    ConversationId id = counters.id();
    if (!isWatched(policy) || found.contains(id)) {
      sent.remove(id);
      return false;
    }
    Deque<Reading> readings = sent.computeIfAbsent(id, any -> new ArrayDeque<>());
    if (!readings.isEmpty() && counters.sentBytes() < readings.getLast().bytes) {
      readings.clear();
    }
    readings.addLast(new Reading(at, counters.sentBytes()));
    while (readings.getFirst().at.isBefore(at.minus(settings.within()))) {
      readings.removeFirst();
    }
    boolean isElephant = counters.sentBytes() - readings.getFirst().bytes >= settings.bytes();
    if (isElephant) {
      found.add(id);
      sent.remove(id);
    }
    return isElephant;
  }

  private boolean isListed(Conversation conversation) {
    if (settings.pairs().isEmpty()) {
      return false;
    }
    IpAddress source = IpAddress.parse(conversation.localAddress());
    IpAddress destination = IpAddress.parse(conversation.remoteAddress());
    return settings.pairs().stream().anyMatch(pair -> pair.matches(source, destination));
  }

  /**
   * A list that nobody has read says nothing against an operator who asks for something else, such
   * as a fixed rate for calls between the same hosts.
   */
  private boolean isFoundByRecords(Conversation conversation, EffectivePolicy policy) {
    return !settings.found().pairs().isEmpty()
        && policy.scheme().value() == SchemeName.UTILITY_FAIR
        && settings
            .found()
            .matches(
                IpAddress.parse(conversation.localAddress()),
                IpAddress.parse(conversation.remoteAddress()));
  }

  private boolean isWatched(EffectivePolicy policy) {
    if (policy.scheme().value() == SchemeName.ELEPHANT_ISOLATION) {
      return false;
    }
    for (IntentPath branch : settings.branches()) {
      if (policy.asked().isWithin(branch)) {
        return true;
      }
    }
    return false;
  }

  /** It is over. */
  public void forget(ConversationId id) {
    sent.remove(id);
    found.remove(id);
  }
}
