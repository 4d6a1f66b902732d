package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** Names a conversation: the host that announced it, and the id that the host's agent chose. */
@AutoValue
public abstract class ConversationId implements Comparable<ConversationId> {
  /** The host id under which conversations without an agent are kept; no agent may have it. */
  public static final String ANNOUNCED = "announced";

  /** The host id of those that naming rules found; no agent may have it. */
  public static final String FOUND = "found";

  public abstract String host();

  /** Unique on its host only. */
  public abstract String local();

  public static ConversationId of(String host, String local) {
    if (host.isEmpty() || host.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "The host id ("
              + host
              + ") must not be empty nor hold a '/'. Maybe use the host's name.");
    }
    if (local.isEmpty()) {
      throw new IllegalArgumentException("A conversation of host (" + host + ") has no id.");
    }
    return new AutoValue_ConversationId(host, local);
  }

  /** Whether an agent speaks for its host. */
  public final boolean isOfAgent() {
    return !host().equals(ANNOUNCED) && !host().equals(FOUND);
  }

  /** Reads {@code host/id}. */
  public static Optional<ConversationId> tryParse(String text) {
    int slash = text.indexOf('/');
    return slash < 1 || slash == text.length() - 1
        ? Optional.empty()
        : Optional.of(of(text.substring(0, slash), text.substring(slash + 1)));
  }

  /**
   * Reads {@code host/id}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ConversationId parse(String text) {
    return tryParse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The conversation ("
                        + text
                        + ") must be named by its host, a '/' and its id there. Maybe look at"
                        + " paceline:conversations."));
  }

  @Override
  public int compareTo(ConversationId other) {
    // By hand: every map of thousands of conversations asks, many times a plan.
    int hosts = host().compareTo(other.host());
    return hosts == 0 ? local().compareTo(other.local()) : hosts;
  }

  @Override
  public final String toString() {
    return host() + "/" + local();
  }
}
