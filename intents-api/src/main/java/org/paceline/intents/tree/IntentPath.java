package org.paceline.intents.tree;

import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.paceline.intents.document.Quoted;

/**
 * Where an intent stands in the tree: the paper's (class, intent) tuple for two names, such as
 * {@code video-streaming/bbb_live}, and up to 32. The root is the empty path, written {@code /}.
 */
@AutoValue
public abstract class IntentPath implements Comparable<IntentPath> {
  public static final IntentPath ROOT = new AutoValue_IntentPath(List.of());

  /** Deeper than any enterprise divides what it does. */
  private static final int DEEPEST = 32;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  public abstract List<String> names();

  public static IntentPath of(String... names) {
    return of(Arrays.asList(names));
  }

  public static IntentPath of(List<String> names) {
    if (names.size() > DEEPEST) {
      throw new IllegalArgumentException(
          "The intent "
              + Quoted.of(String.join("/", names))
              + " has "
              + names.size()
              + " names, where at most "
              + DEEPEST
              + " are read. Maybe you meant class/intent, such as web-browsing/science_lab.");
    }
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "The intent name "
                + Quoted.of(name)
                + " in "
                + Quoted.of(String.join("/", names))
                + " must be 1 to 64 letters, digits, '_', '.' or '-', not beginning with a sign."
                + " Maybe you meant class/intent, such as web-browsing/science_lab.");
      }
    }
    return names.isEmpty()
        ? ROOT
        : new AutoValue_IntentPath(Collections.unmodifiableList(List.copyOf(names)));
  }

  /** Reads {@code class/intent}; {@code /} and the empty text are the root. */
  public static IntentPath parse(String text) {
    String trimmed = text.trim();
    if (trimmed.isEmpty() || trimmed.equals("/")) {
      return ROOT;
    }
    String relative = trimmed.startsWith("/") ? trimmed.substring(1) : trimmed;
    return of(Arrays.asList(relative.split("/", -1)));
  }

  public static Optional<IntentPath> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public boolean isRoot() {
    return names().isEmpty();
  }

  /** The node above; empty for the root. */
  public Optional<IntentPath> parent() {
    return isRoot() ? Optional.empty() : Optional.of(of(names().subList(0, names().size() - 1)));
  }

  /** Whether this node is the other or stands below it. */
  public boolean isWithin(IntentPath ancestor) {
    List<String> above = ancestor.names();
    if (names().size() < above.size()) {
      return false;
    }
    // Asked of thousands at a time: no lists are made for it.
    for (int i = 0; i < above.size(); i++) {
      if (!names().get(i).equals(above.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(IntentPath other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public final String toString() {
    return isRoot() ? "/" : names().stream().collect(Collectors.joining("/"));
  }
}
