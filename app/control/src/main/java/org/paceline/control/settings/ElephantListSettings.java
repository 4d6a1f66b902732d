package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.AlphaRule;
import org.paceline.allocator.elephant.ListRule;
import org.paceline.allocator.elephant.PrefixLengths;
import org.paceline.intents.address.IpAddress;

/** Whose flow records are taken, and how lists of elephants are made of them. Yan et al. 2013. */
@AutoValue
public abstract class ElephantListSettings {
  static final long MEGABYTE = 1_000_000;
  static final String HOSTS = "hosts";
  static final String APPLY = "apply";

  /** They share what memory there is for sums. */
  public static final int MOST_EXPORTERS = 16;

  /** "This host" of RFC 1122: the controller itself, by what is counted of conversations. */
  public static final IpAddress COUNTERS = IpAddress.parse("0.0.0.0");

  /** Whose flow records are taken, {@link #COUNTERS} among them; where it is empty, nobody's. */
  public abstract Set<IpAddress> exporters();

  /** Those of them that send datagrams. */
  public final Set<IpAddress> senders() {
    Set<IpAddress> senders = new TreeSet<>(exporters());
    senders.remove(COUNTERS);
    return senders;
  }

  /** Where to listen for them; its name is not looked up yet. */
  public abstract InetSocketAddress place();

  /** What an alpha flow is. */
  public abstract AlphaRule alpha();

  /** Which pairs are on an exporter's list. */
  public abstract ListRule rule();

  /** How many pairs of all lists may be in force, besides those that the operator names. */
  public abstract int room();

  /** When the lists are made each day, in UTC. */
  public abstract LocalTime at();

  /** Whether conversations between the pairs are elephants; else the lists are only shown. */
  public abstract boolean isApplied();

  /** The range of each number is the table's. */
  public static ElephantListSettings of(SettingValues values) {
    int most = values.number(SettingTable.ELEPHANT_LIST_PAIRS);
    int named = ElephantSettings.pairs(values.text(SettingTable.ELEPHANT_PAIRS)).size();
    return new AutoValue_ElephantListSettings(
        exporters(values.text(SettingTable.FLOW_EXPORTERS)),
        InetSocketAddress.createUnresolved(
            values.text(SettingTable.BIND_ADDRESS), values.number(SettingTable.FLOW_PORT)),
        AlphaRule.of(
            values.number(SettingTable.ALPHA_MEGABYTES) * MEGABYTE,
            Duration.ofSeconds(values.number(SettingTable.ALPHA_SECONDS))),
        ListRule.of(
            values.text(SettingTable.ELEPHANT_LIST_PREFIXES).equals(HOSTS)
                ? PrefixLengths.HOSTS
                : PrefixLengths.SUBNETS,
            values.number(SettingTable.ELEPHANT_LIST_DAYS),
            most),
        Math.max(0, most - named),
        LocalTime.parse(values.text(SettingTable.ELEPHANT_LIST_AT)),
        values.text(SettingTable.ELEPHANT_LIST_USE).equals(APPLY));
  }

  /**
   * A list of addresses, separated by commas.
   *
   * @throws IllegalArgumentException if one is no address, or if there are too many
   */
  static Set<IpAddress> exporters(String text) {
    Set<IpAddress> exporters =
        ElephantSettings.words(text)
            .map(IpAddress::parse)
            .collect(Collectors.toCollection(TreeSet::new));
    if (exporters.size() > MOST_EXPORTERS) {
      throw new IllegalArgumentException("There are too many.");
    }
    return Collections.unmodifiableSet(exporters);
  }
}
