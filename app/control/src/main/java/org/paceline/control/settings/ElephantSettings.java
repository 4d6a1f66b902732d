package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.allocator.elephant.PrefixPair;
import org.paceline.allocator.elephant.QueueSplitRule;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.tree.IntentPath;

/** Who becomes an elephant while it runs, and how ports are split. Yan et al. 2013. */
@AutoValue
public abstract class ElephantSettings {
  private static final long MEGABYTE = 1_000_000;

  /** How the split of a port follows its traffic. */
  public abstract QueueSplitRule split();

  /** Below these a conversation that sends much at once is an elephant from then on. */
  public abstract List<IntentPath> branches();

  /** Between these every conversation is an elephant. */
  public abstract List<PrefixPair> pairs();

  /**
   * Between these every conversation is an elephant whose branch asks for nothing in particular.
   */
  public abstract FoundPairs found();

  /** Whether conversations may be elephants of which the intent tree does not say so. */
  public final boolean namesAny() {
    return !branches().isEmpty() || !pairs().isEmpty() || !found().pairs().isEmpty();
  }

  /** How much that is, in bytes. */
  public abstract long bytes();

  /** Within what time. */
  public abstract Duration within();

  /** The range of each number is the table's. */
  static ElephantSettings of(SettingValues values) {
    return of(
        QueueSplitRule.of(
            values.number(SettingTable.ELEPHANT_SHARE),
            values.number(SettingTable.ELEPHANT_HEADROOM),
            values.number(SettingTable.ELEPHANT_MARGIN)),
        branches(values.text(SettingTable.ELEPHANT_BRANCHES)),
        pairs(values.text(SettingTable.ELEPHANT_PAIRS)),
        values.number(SettingTable.ELEPHANT_MEGABYTES) * MEGABYTE,
        Duration.ofSeconds(values.number(SettingTable.ELEPHANT_SECONDS)));
  }

  public static ElephantSettings of(
      QueueSplitRule split,
      List<IntentPath> branches,
      List<PrefixPair> pairs,
      long bytes,
      Duration within) {
    return new AutoValue_ElephantSettings(
        split, List.copyOf(branches), List.copyOf(pairs), FoundPairs.NONE, bytes, within);
  }

  /** The same with the pairs that flow records have named. */
  public final ElephantSettings with(FoundPairs others) {
    return new AutoValue_ElephantSettings(split(), branches(), pairs(), others, bytes(), within());
  }

  /**
   * A list of branches, separated by commas.
   *
   * @throws IllegalArgumentException if one is no path of an intent
   */
  static List<IntentPath> branches(String text) {
    return words(text).map(IntentPath::parse).collect(Collectors.toUnmodifiableList());
  }

  /**
   * A list of pairs of prefixes, separated by commas.
   *
   * @throws IllegalArgumentException if one is no pair
   */
  static List<PrefixPair> pairs(String text) {
    return words(text).map(ElephantSettings::pair).collect(Collectors.toUnmodifiableList());
  }

  private static PrefixPair pair(String text) {
    String[] ends = text.split(">", -1);
    if (ends.length != 2) {
      throw new IllegalArgumentException(
          "The pair ("
              + text
              + ") must be SOURCE>DESTINATION. Maybe 192.0.2.0/24>198.51.100.0/24.");
    }
    return PrefixPair.of(AddressPrefix.parse(ends[0].trim()), AddressPrefix.parse(ends[1].trim()));
  }

  static Stream<String> words(String text) {
    return Arrays.stream(text.split(",")).map(String::trim).filter(word -> !word.isEmpty());
  }
}
