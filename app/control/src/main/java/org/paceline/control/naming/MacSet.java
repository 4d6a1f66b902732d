package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Senders by their MAC addresses: single ones, makers' prefixes, and lists that have a name. */
@AutoValue
public abstract class MacSet {
  private static final int OCTETS_TEXT = 3;

  /** As they were written. */
  abstract List<String> words();

  /** All prefixes: the MAC addresses of a company's phones are thousands, and few lengths. */
  abstract Set<String> prefixes();

  /**
   * @param lists by name, of which a word {@code @name} means all
   * @throws IllegalArgumentException if a word is no MAC address and names no list
   */
  static MacSet of(List<String> words, Map<String, List<MacPrefix>> lists) {
    List<MacPrefix> all = new ArrayList<>();
    for (String word : words) {
      if (SetName.isReference(word)) {
        all.addAll(SetName.find("macs", word, lists));
      } else {
        all.add(MacPrefix.parse(word, ""));
      }
    }
    return new AutoValue_MacSet(
        List.copyOf(words),
        new HashSet<>(all.stream().map(MacPrefix::prefix).collect(Collectors.toUnmodifiableSet())));
  }

  /** O(1): a prefix has 3 to 6 octets. */
  boolean contains(String mac) {
    for (int end = mac.length(); end >= 2 * OCTETS_TEXT + 2; end -= OCTETS_TEXT) {
      if (prefixes().contains(mac.substring(0, end))) {
        return true;
      }
    }
    return false;
  }

  boolean covers(MacSet other) {
    return other.prefixes().stream().allMatch(this::contains);
  }

  @Override
  public final String toString() {
    return String.join(", ", words());
  }
}
