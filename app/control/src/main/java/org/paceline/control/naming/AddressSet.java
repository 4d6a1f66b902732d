package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.paceline.intents.address.AddressPrefix;

/** Addresses as a rule asks for them: prefixes, and sets of them that have a name. */
@AutoValue
public abstract class AddressSet {
  /** As they were written. */
  abstract List<String> words();

  /** What they mean. */
  abstract List<AddressPrefix> prefixes();

  /**
   * @param sets by name, of which a word {@code @name} means all
   * @throws IllegalArgumentException if a word is no prefix and names no set
   */
  static AddressSet of(List<String> words, Map<String, List<AddressPrefix>> sets) {
    List<AddressPrefix> prefixes = new ArrayList<>();
    for (String word : words) {
      if (SetName.isReference(word)) {
        prefixes.addAll(SetName.find("addresses", word, sets));
      } else {
        prefixes.add(AddressPrefix.parse(word));
      }
    }
    return new AutoValue_AddressSet(List.copyOf(words), List.copyOf(prefixes));
  }

  boolean contains(InetAddress address) {
    return prefixes().stream().anyMatch(prefix -> prefix.contains(address));
  }

  boolean covers(AddressSet other) {
    return other.prefixes().stream()
        .allMatch(one -> prefixes().stream().anyMatch(prefix -> prefix.covers(one)));
  }

  @Override
  public final String toString() {
    return String.join(", ", words());
  }
}
