package org.paceline.agent.peer;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names of hosts as others write them: only what can be one comes further. */
final class HostName {
  static final int LONGEST = 253;
  // Underscores are not for hosts, but there are some.
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\\.[a-z0-9_][a-z0-9_-]{0,62})*");

  private HostName() {}

  static Optional<String> of(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.length() <= LONGEST && NAME.matcher(lower).matches()
        ? Optional.of(lower)
        : Optional.empty();
  }
}
