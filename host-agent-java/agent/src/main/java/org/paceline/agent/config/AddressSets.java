package org.paceline.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.paceline.agent.naming.AddressRange;
import org.paceline.agent.naming.AddressSet;

/** The sets of addresses that a rules file gives names to, for its rules to say {@code @name}. */
final class AddressSets {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final String SIGN = "@";

  private final Map<String, AddressSet> sets;
  private final Faults faults;

  private AddressSets(Map<String, AddressSet> sets, Faults faults) {
    this.sets = sets;
    this.faults = faults;
  }

  static AddressSets read(Optional<YamlMap> map, Faults faults) {
    Map<String, AddressSet> sets = new TreeMap<>();
    map.ifPresent(
        named -> {
          for (String name : named.keys()) {
            int before = faults.messages().size();
            List<AddressRange> ranges = named.takeAll(name, AddressRange::parse);
            if (!NAME.matcher(name).matches()) {
              faults.add(
                  named.place(name),
                  "The name of addresses ("
                      + name
                      + ") must be 1 to 64 letters, digits, '_', '.' or '-'.");
            } else if (ranges.isEmpty() && faults.messages().size() == before) {
              faults.add(
                  named.place(name),
                  "The addresses (" + name + ") are none. Maybe leave them out.");
            }
            // Also where it has faults, for who asks for it not to be told that it is unknown.
            sets.put(name, new AddressSet(ranges));
          }
        });
    return new AddressSets(sets, faults);
  }

  /** The addresses that a condition asks for: a range, a set's name, or a list of such. */
  Optional<AddressSet> take(YamlMap match, ConfigKey condition) {
    String key = condition.key();
    if (!match.has(key)) {
      return Optional.empty();
    }
    int before = faults.messages().size();
    List<AddressRange> all = new ArrayList<>();
    match.takeAll(key, this::ranges).forEach(all::addAll);
    if (all.isEmpty() && faults.messages().size() == before) {
      faults.add(match.place(key), "The (" + key + ") is empty. Maybe leave the condition out.");
    }
    return Optional.of(new AddressSet(all));
  }

  private List<AddressRange> ranges(String word) {
    if (!word.startsWith(SIGN)) {
      return List.of(AddressRange.parse(word));
    }
    return Optional.ofNullable(sets.get(word.substring(1)))
        .map(AddressSet::ranges)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There are no addresses ("
                        + word
                        + "). "
                        + (sets.isEmpty()
                            ? "Maybe name them first: addresses: {"
                                + word.substring(1)
                                + ": [...]}."
                            : "Maybe you meant one of @"
                                + String.join(", @", sets.keySet())
                                + ".")));
  }
}
