package org.paceline.control.settings;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What every setting is, and which stored values cannot be used. Each of these is replaced by
 * itself; the others stay as they were set.
 */
public final class SettingValues {
  private static final List<List<Setting>> SHARES_OF_LINKS =
      List.of(
          List.of(SettingTable.RESERVE),
          List.of(SettingTable.USABLE),
          List.of(SettingTable.RESERVE, SettingTable.USABLE));
  private static final List<List<Setting>> BOUNDS_OF_USABLE =
      List.of(
          List.of(SettingTable.USABLE_LEAST),
          List.of(SettingTable.USABLE_MOST),
          List.of(SettingTable.USABLE_LEAST, SettingTable.USABLE_MOST),
          List.of(
              SettingTable.USABLE_LEAST,
              SettingTable.USABLE_MOST,
              SettingTable.USABLE,
              SettingTable.RESERVE));
  private static final List<List<Setting>> MARKS =
      List.of(
          List.of(SettingTable.ELEPHANT_DSCP),
          List.of(SettingTable.MANAGED_DSCP),
          List.of(SettingTable.ELEPHANT_DSCP, SettingTable.MANAGED_DSCP));

  /**
   * AF12, in the place of the default where managed traffic has had that since before there were
   * elephants: of the same class, high-throughput data (RFC 4594).
   */
  private static final String OTHER_ELEPHANT_DSCP = "12";

  private final Map<String, String> texts;
  private final Map<String, String> unusable;

  private SettingValues(Map<String, String> texts, Map<String, String> unusable) {
    this.texts = Collections.unmodifiableMap(texts);
    this.unusable = Collections.unmodifiableMap(unusable);
  }

  public static SettingValues byDefault() {
    return of(name -> Optional.empty());
  }

  /**
   * What is stored, with the default where nothing is or what cannot be used.
   *
   * @param stored the text that is stored for a name
   */
  public static SettingValues of(Function<String, Optional<String>> stored) {
    return of(stored, Setting::byDefault);
  }

  /** What is stored now; where that cannot be used, what was in force before stays. */
  public SettingValues next(Function<String, Optional<String>> stored) {
    return of(stored, this::text);
  }

  private static SettingValues of(
      Function<String, Optional<String>> stored, Function<Setting, String> instead) {
    Map<String, String> texts = new TreeMap<>();
    Map<String, String> unusable = new TreeMap<>();
    for (Setting setting : SettingTable.all()) {
      // ONOS has no other way to say that nothing is set.
      String text = stored.apply(setting.name()).map(String::trim).orElse("");
      try {
        texts.put(
            setting.name(),
            text.isEmpty() ? setting.read(setting.byDefault()) : setting.read(text));
      } catch (IllegalArgumentException e) {
        texts.put(setting.name(), instead.apply(setting));
        unusable.put(setting.name(), String.valueOf(e.getMessage()));
      }
    }
    if (stored.apply(SettingTable.ELEPHANT_DSCP.name()).orElse("").isBlank()
        && sameMark(texts).isPresent()) {
      texts.put(SettingTable.ELEPHANT_DSCP.name(), OTHER_ELEPHANT_DSCP);
    }
    replaceWhatDoesNotGoTogether(
        texts, unusable, instead, SettingValues::nothingLeft, SHARES_OF_LINKS);
    replaceWhatDoesNotGoTogether(
        texts, unusable, instead, SettingValues::wrongBounds, BOUNDS_OF_USABLE);
    replaceWhatDoesNotGoTogether(texts, unusable, instead, SettingValues::sameMark, MARKS);
    return new SettingValues(texts, unusable);
  }

  /**
   * As few as possible are replaced.
   *
   * @param refusal why they do not go together; empty where they do
   * @param tries what may be replaced, in the order to try
   */
  private static void replaceWhatDoesNotGoTogether(
      Map<String, String> texts,
      Map<String, String> unusable,
      Function<Setting, String> instead,
      Function<Map<String, String>, Optional<String>> refusal,
      List<List<Setting>> tries) {
    Optional<String> why = refusal.apply(texts);
    if (why.isEmpty()) {
      return;
    }
    for (List<Setting> some : tries) {
      Map<String, String> tried = new TreeMap<>(texts);
      some.forEach(setting -> tried.put(setting.name(), instead.apply(setting)));
      if (refusal.apply(tried).isEmpty()) {
        texts.putAll(tried);
        some.forEach(setting -> unusable.put(setting.name(), why.get()));
        return;
      }
    }
  }

  private static Optional<String> refusal(Map<String, String> texts) {
    return nothingLeft(texts).or(() -> wrongBounds(texts)).or(() -> sameMark(texts));
  }

  /** Managed packets would wait among elephants. */
  private static Optional<String> sameMark(Map<String, String> texts) {
    int elephants = number(texts, SettingTable.ELEPHANT_DSCP);
    return elephants != number(texts, SettingTable.MANAGED_DSCP)
        ? Optional.empty()
        : Optional.of(
            "The elephantDscp ("
                + elephants
                + ") must be another one than the managedDscp. Maybe 10 and 34.");
  }

  /** Nothing of a link would be left to grant. */
  private static Optional<String> nothingLeft(Map<String, String> texts) {
    int usable = number(texts, SettingTable.USABLE);
    int reserve = number(texts, SettingTable.RESERVE);
    return usable > reserve
        ? Optional.empty()
        : Optional.of(
            "The usableThousandths ("
                + usable
                + ") must be above the reserveThousandths ("
                + reserve
                + "). Maybe 960 and 10.");
  }

  /** What is adapted would not begin between its bounds, or have nothing left. */
  private static Optional<String> wrongBounds(Map<String, String> texts) {
    int usable = number(texts, SettingTable.USABLE);
    int least = number(texts, SettingTable.USABLE_LEAST);
    int most = number(texts, SettingTable.USABLE_MOST);
    int reserve = number(texts, SettingTable.RESERVE);
    return (least == 0 || reserve < least && least <= usable) && (most == 0 || usable <= most)
        ? Optional.empty()
        : Optional.of(
            "The usableLeastThousandths ("
                + least
                + ") must be above the reserveThousandths ("
                + reserve
                + ") and at most the usableThousandths ("
                + usable
                + "), and the usableMostThousandths ("
                + most
                + ") at least that. Maybe 900 and 990, or 0 for no adaptation.");
  }

  /**
   * As if these were set too.
   *
   * @param changed values by name
   * @throws IllegalArgumentException if one of them may not be, or they do not go together
   */
  public SettingValues with(Map<String, String> changed) {
    Map<String, String> next = new TreeMap<>(texts);
    for (Setting setting : SettingTable.all()) {
      Optional.ofNullable(changed.get(setting.name()))
          .ifPresent(text -> next.put(setting.name(), setting.read(text)));
    }
    refusal(next)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    return new SettingValues(next, Map.of());
  }

  public String text(Setting setting) {
    return texts.getOrDefault(setting.name(), setting.byDefault());
  }

  /** Empty where the text is. */
  public Optional<String> optional(Setting setting) {
    return Optional.of(text(setting)).filter(text -> !text.isEmpty());
  }

  public int number(Setting setting) {
    return number(texts, setting);
  }

  private static int number(Map<String, String> texts, Setting setting) {
    return Integer.parseInt(texts.getOrDefault(setting.name(), setting.byDefault()));
  }

  public boolean isTrue(Setting setting) {
    return Boolean.parseBoolean(text(setting));
  }

  /** Why what is stored for a name cannot be used. */
  public Map<String, String> unusable() {
    return unusable;
  }
}
