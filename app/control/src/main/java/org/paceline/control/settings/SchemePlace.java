package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;

/** A site, by the addresses of its hosts, or a link, and the scheme that is chosen for it. */
@AutoValue
public abstract class SchemePlace {
  /** Empty for a link. */
  public abstract Optional<AddressPrefix> site();

  /** Either way; empty for a site. */
  public abstract Optional<LinkId> link();

  public abstract SchemeName scheme();

  /**
   * A list of places with their schemes, separated by commas.
   *
   * @throws IllegalArgumentException if one is no place, or has no scheme that could be its own
   */
  public static List<SchemePlace> parse(String text) {
    return ElephantSettings.words(text)
        .map(SchemePlace::one)
        .collect(Collectors.toUnmodifiableList());
  }

  private static SchemePlace one(String text) {
    int end = text.indexOf('=');
    if (end <= 0) {
      throw new IllegalArgumentException(
          "The place ("
              + text
              + ") must be PREFIX=SCHEME or NODE>NODE=SCHEME. Maybe"
              + " 192.0.2.0/24=service-classes.");
    }
    String place = text.substring(0, end).trim();
    SchemeName scheme = SchemeName.parse(text.substring(end + 1).trim());
    if (scheme == SchemeName.FIXED_RATE) {
      throw new IllegalArgumentException(
          "The scheme ("
              + scheme.word()
              + ") gives each intent a rate of its own, so no place can have it ("
              + text
              + "). Maybe set it for a branch of the intent tree.");
    }
    return place.indexOf('>') < 0
        ? new AutoValue_SchemePlace(
            Optional.of(AddressPrefix.parse(place)), Optional.empty(), scheme)
        : new AutoValue_SchemePlace(Optional.empty(), Optional.of(linkOf(place)), scheme);
  }

  private static LinkId linkOf(String place) {
    List<String> ends =
        Arrays.stream(place.split(">", -1)).map(String::trim).collect(Collectors.toList());
    if (ends.size() != 2 || ends.contains("") || ends.get(0).equals(ends.get(1))) {
      throw new IllegalArgumentException(
          "The link ("
              + place
              + ") must be two nodes, NODE>NODE. Maybe of:0000000000000001>of:0000000000000002.");
    }
    return LinkId.of(ends.get(0), ends.get(1));
  }

  /** As it is written in the list. */
  @Override
  public final String toString() {
    return site()
            .map(AddressPrefix::toString)
            .or(() -> link().map(link -> link.from() + ">" + link.to()))
            .orElseThrow()
        + "="
        + scheme().word();
  }
}
