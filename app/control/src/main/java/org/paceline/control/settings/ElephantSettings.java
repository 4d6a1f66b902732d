package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.QueueSplitRule;
import org.paceline.intents.tree.IntentPath;

/** Who becomes an elephant while it runs, and how ports are split. Yan et al. 2013. */
@AutoValue
public abstract class ElephantSettings {
  private static final long MEGABYTE = 1_000_000;

  /** How the split of a port follows its traffic. */
  public abstract QueueSplitRule split();

  /** Below these a conversation that sends much at once is an elephant from then on. */
  public abstract List<IntentPath> branches();

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
        values.number(SettingTable.ELEPHANT_MEGABYTES) * MEGABYTE,
        Duration.ofSeconds(values.number(SettingTable.ELEPHANT_SECONDS)));
  }

  public static ElephantSettings of(
      QueueSplitRule split, List<IntentPath> branches, long bytes, Duration within) {
    return new AutoValue_ElephantSettings(split, List.copyOf(branches), bytes, within);
  }

  /**
   * A list of branches, separated by commas.
   *
   * @throws IllegalArgumentException if one is no path of an intent
   */
  static List<IntentPath> branches(String text) {
    return Arrays.stream(text.split(","))
        .map(String::trim)
        .filter(branch -> !branch.isEmpty())
        .map(IntentPath::parse)
        .collect(Collectors.toUnmodifiableList());
  }
}
