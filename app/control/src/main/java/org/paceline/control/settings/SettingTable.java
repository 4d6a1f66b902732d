package org.paceline.control.settings;

import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.paceline.allocator.classes.LowerMean;
import org.paceline.allocator.classes.SplitRule;
import org.paceline.allocator.elephant.AlphaRule;
import org.paceline.allocator.elephant.ListRule;
import org.paceline.allocator.elephant.QueueSplitRule;
import org.paceline.allocator.reservation.AdaptationRule;
import org.paceline.intents.address.CanonicalAddress;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

/**
 * All settings, and the only place where their defaults stand. The planner's defaults, the file by
 * which ONOS knows them and the reference page are made from this table; the YANG module is held to
 * it by a test.
 */
public final class SettingTable {
  private static final int WHOLE = 1_000;
  private static final int MANY = 10_000_000;
  private static final int HOUR_SECONDS = 3_600;
  private static final int WEEK_SECONDS = 604_800;
  private static final int LONGEST_COUNTER_SECONDS = 30;
  private static final Pattern ADDRESS_OR_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*)");

  public static final Setting MODE =
      Setting.word(
          "mode",
          Arrays.stream(PlanMode.values())
              .map(PlanMode::word)
              .collect(Collectors.toUnmodifiableList()),
          PlanMode.ENFORCE.word(),
          "Whether plans are carried out (enforce) or only made and shown as recommended, with"
              + " nothing held back (shadow)");

  // Agents call from their hosts over the management network, so not on loopback.
  public static final Setting BIND_ADDRESS =
      Setting.text(
              "bindAddress",
              "0.0.0.0",
              "Where to listen for host agents, and for flow records",
              "an address of this machine",
              "0.0.0.0",
              SettingTable::addressOrName)
          .readAtStart();

  public static final Setting PORT =
      Setting.number("port", 9559, 1, 65_535, "TCP port for host agents").readAtStart();

  public static final Setting TLS_DIRECTORY =
      Setting.text(
              "tlsDirectory",
              "",
              "Where the certificates of the controller and of the agents' authority are, made by"
                  + " tools/certificates; empty: unencrypted, see agentsWithoutCertificates",
              "a directory by its whole name, or empty",
              "/etc/paceline/tls",
              orEmpty(SettingTable::directory))
          .readAtStart();

  /** Of {@link #WITHOUT_CERTIFICATES}: whoever reaches the port is believed to be any host. */
  public static final String FROM_ANYWHERE = "accepted-from-anywhere";

  public static final Setting WITHOUT_CERTIFICATES =
      Setting.word(
              "agentsWithoutCertificates",
              List.of("only-from-this-machine", FROM_ANYWHERE),
              "only-from-this-machine",
              "Who may call where tlsDirectory is empty, and so say to be any host:"
                  + " only-from-this-machine (loopback, whatever bindAddress says) or"
                  + " accepted-from-anywhere")
          .readAtStart();

  public static final Setting USABLE =
      Setting.number(
          "usableThousandths",
          960,
          1,
          WHOLE,
          "How much of a link's capacity conversations may use, in thousandths");

  public static final Setting USABLE_LEAST =
      usableBound(
          "usableLeastThousandths",
          900,
          "How little of a link's capacity conversations may use after its queue was seen to grow,"
              + " in thousandths; 0: as much as ever, usableThousandths");

  public static final Setting USABLE_MOST =
      usableBound(
          "usableMostThousandths",
          990,
          "How much of a link's capacity conversations may use while it is seen to be full without"
              + " a queue, in thousandths; 0: no more than usableThousandths");

  public static final Setting RESERVE =
      Setting.number(
          "reserveThousandths",
          10,
          0,
          WHOLE - 1,
          "What a plan leaves for conversations that open before the next one, in thousandths;"
              + " below usableThousandths");

  public static final Setting EPSILON =
      Setting.number(
          "epsilonThousandths",
          300,
          0,
          4 * WHOLE,
          "How far below the best that they could have the worst-off may stay where the others"
              + " gain more by it, in thousandths of utility; 0: not at all. 300 is the epsilon of"
              + " Sieber et al. 2020");

  public static final Setting LEND =
      Setting.numberOrNone(
          "lendThousandths",
          0,
          1,
          PlannerSettings.GREATEST_LOAN,
          60,
          "How much of a link, in thousandths, may be lent of grants that are not used; 0: none."
              + " What no grant takes is lent in any case");

  public static final Setting SCHEME_PLACES =
      Setting.text(
          "schemePlaces",
          "",
          "Places whose conversations one scheme rules where no branch below the root says which:"
              + " PLACE=SCHEME, separated by commas. A place is a site, by the prefix of its"
              + " addresses, or a link, NODE>NODE, either way; the first that fits counts; empty:"
              + " none",
          "PLACE=SCHEME, separated by commas, or empty for none; a place is a prefix or NODE>NODE, and"
              + " a scheme any of branches but fixed-rate",
          "192.0.2.0/24=service-classes",
          SettingTable::places);

  public static final Setting FIXED_RATE =
      Setting.number(
          "fixedRateThousandths",
          500,
          1,
          PlannerSettings.GREATEST_FIXED,
          "How much of what a plan divides of each link, in thousandths, branches with the scheme"
              + " fixed-rate may take; what they do not need is there for the others");

  public static final Setting ADAPTIVE_SHARE =
      Setting.number(
          "adaptiveThousandths",
          500,
          1,
          PlannerSettings.GREATEST_SHARE,
          "How much of what fixed rates leave of each link, in thousandths, branches with the scheme"
              + " adaptive-reservations may reserve, and take where other branches use the link too");

  public static final Setting ADAPTIVE_MARGIN =
      Setting.number(
          "adaptiveMarginThousandths",
          AdaptationRule.DEFAULT.marginThousandths(),
          0,
          500,
          "By how much less, in thousandths, a conversation with an adaptive reservation must want"
              + " before it is given less");

  public static final Setting ADAPTIVE_HEADROOM =
      Setting.number(
          "adaptiveHeadroomThousandths",
          AdaptationRule.DEFAULT.headroomThousandths(),
          AdaptationRule.LEAST_HEADROOM,
          2 * WHOLE,
          "What a conversation that leaves some of its adaptive reservation keeps above what it"
              + " sends, in thousandths of that");

  public static final Setting ADAPTIVE_GROWTH =
      Setting.number(
          "adaptiveGrowthThousandths",
          AdaptationRule.DEFAULT.growthThousandths(),
          WHOLE + 1,
          10 * WHOLE,
          "What a conversation that uses all of its adaptive reservation may borrow up to in one"
              + " period, in thousandths of what it has");

  public static final Setting ADAPTIVE_FLOOR =
      Setting.number(
          "adaptiveFloorThousandths",
          AdaptationRule.DEFAULT.floorThousandths(),
          0,
          WHOLE,
          "What a silent conversation keeps of its adaptive reservation, in thousandths; 100 kbit/s"
              + " at least, or all of it where that is less");

  public static final Setting ADAPTIVE_PERIOD =
      Setting.number(
          "adaptivePeriodSeconds",
          2,
          1,
          HOUR_SECONDS,
          "How long is measured before adaptive reservations follow what conversations send");

  public static final Setting CLASS_SHARE =
      Setting.number(
          "serviceClassThousandths",
          500,
          1,
          PlannerSettings.GREATEST_SHARE,
          "How much of what fixed rates and adaptive reservations leave of each link, in"
              + " thousandths, branches with the scheme service-classes may take where other branches"
              + " use the link too");

  public static final Setting CLASS_ALPHA =
      Setting.number(
          "classAlphaThousandths",
          WHOLE,
          100,
          1_000 * WHOLE,
          "alpha of service classes, in thousandths: conversations stand in the ratio of their"
              + " classWeights to the power of 1/alpha; 1000 for just that ratio, more for shares"
              + " that are more alike");

  public static final Setting CLASS_BETA =
      Setting.number(
          "classBetaThousandths",
          250,
          0,
          5 * WHOLE,
          "beta of service classes, without its minus sign, in thousandths: whoever reaches so many"
              + " standard deviations less than its class's mean is low");

  public static final Setting CLASS_GAMMA =
      Setting.number(
          "classGammaThousandths",
          500,
          0,
          WHOLE,
          "gamma of service classes, in thousandths: 0 gives low conversations an equal share, 1000"
              + " what conversations below the mean reach, and the others the rest");

  public static final Setting CLASS_DELTA =
      Setting.number(
          "classDeltaThousandths",
          0,
          0,
          WHOLE - 1,
          "delta of service classes, in thousandths: how much of the average throughput before stays"
              + " when a period was measured; 0 goes by the last period alone");

  public static final Setting CLASS_LOWER_MEAN =
      Setting.word(
          "classLowerMean",
          LowerMean.words(),
          LowerMean.F_MINUS.word(),
          "Whose mean low conversations are given at gamma 1: that of all below the mean (F-minus) or"
              + " of the low alone (F-lower)");

  public static final Setting CLASS_SPLITS =
      Setting.number(
          "classSplits",
          1,
          0,
          SplitRule.DEEPEST,
          "How often a service class is split by what its conversations reach, and the parts again; 0"
              + " for never");

  public static final Setting CLASS_PERIOD =
      Setting.number(
          "classPeriodSeconds",
          15,
          1,
          HOUR_SECONDS,
          "How long throughput is measured before the rates of service classes follow it");

  public static final Setting CLASS_METERS =
      Setting.word(
          "classMeters",
          ClassMeters.words(),
          ClassMeters.PER_CONVERSATION.word(),
          "Which meters hold conversations of service classes that have no agent: one each"
              + " (per-conversation), or one for all of a sub-class that take the same path"
              + " (per-sub-class)");

  public static final Setting ELEPHANT_SHARE =
      Setting.number(
          "elephantThousandths",
          QueueSplitRule.DEFAULT.leastThousandths(),
          1,
          QueueSplitRule.GREATEST_LEAST,
          "How much of what fixed rates, adaptive reservations and service classes leave of each"
              + " link, in thousandths, elephants have in any case; they have besides what nobody"
              + " takes. Of a port's two queues neither has less of it, unless others were granted more"
              + " than the rest");

  public static final Setting ELEPHANT_HEADROOM =
      Setting.number(
          "elephantHeadroomThousandths",
          QueueSplitRule.DEFAULT.headroomThousandths(),
          0,
          2 * WHOLE,
          "What the queue of all others has, where elephants share the port, above what is sent"
              + " beside the plan, in thousandths of that");

  public static final Setting ELEPHANT_MARGIN =
      Setting.number(
          "elephantMarginThousandths",
          QueueSplitRule.DEFAULT.marginThousandths(),
          0,
          WHOLE - 1,
          "How much less others must need, in thousandths, before their queue has less beside"
              + " elephants");

  public static final Setting ELEPHANT_BRANCHES =
      Setting.text(
          "elephantBranches",
          "",
          "Branches of the intent tree, separated by commas, whose conversations become elephants"
              + " while they run when they send elephantMegabytes within elephantSeconds; empty:"
              + " none",
          "paths of intents, separated by commas, or empty for none",
          "file-download,backup/nightly",
          SettingTable::branches);

  public static final Setting ELEPHANT_PAIRS =
      Setting.text(
          "elephantPairs",
          "",
          "Pairs of address prefixes, SOURCE>DESTINATION, separated by commas, between which every"
              + " conversation is an elephant whatever its branch says; empty: none",
          "pairs of address prefixes, separated by commas, or empty for none",
          "192.0.2.0/24>198.51.100.0/24",
          SettingTable::pairs);

  public static final Setting ELEPHANT_MEGABYTES =
      Setting.number(
          "elephantMegabytes",
          20,
          1,
          100_000,
          "How much a conversation of elephantBranches must send within elephantSeconds to become"
              + " an elephant, in megabytes");

  public static final Setting ELEPHANT_SECONDS =
      Setting.number(
          "elephantSeconds",
          10,
          1,
          600,
          "Within how many seconds a conversation of elephantBranches must send elephantMegabytes"
              + " to become an elephant");

  public static final Setting FLOW_EXPORTERS =
      Setting.text(
          "flowExporters",
          "",
          "Addresses of the routers and switches whose flow records (NetFlow 5 and 9, IPFIX) are"
              + " taken, separated by commas, "
              + ElephantListSettings.MOST_EXPORTERS
              + " at most; 0.0.0.0 is the controller itself, by what agents and switches count of"
              + " conversations; where nobody else is named no port is open",
          "addresses, separated by commas, or empty for none",
          "192.0.2.2,192.0.2.3",
          SettingTable::exporters);

  public static final Setting FLOW_PORT =
      Setting.number(
          "flowPort",
          2_055,
          1,
          65_535,
          "UDP port for flow records, at bindAddress, while flowExporters names any but 0.0.0.0");

  public static final Setting ALPHA_MEGABYTES =
      Setting.number(
          "alphaMegabytes",
          (int) (AlphaRule.DEFAULT.bytes() / ElephantListSettings.MEGABYTE),
          1,
          1_000_000,
          "More than so much from one host to another within alphaSeconds, by flow records, is an"
              + " alpha flow; in megabytes");

  public static final Setting ALPHA_SECONDS =
      Setting.number(
          "alphaSeconds",
          (int) AlphaRule.DEFAULT.interval().toSeconds(),
          1,
          HOUR_SECONDS,
          "More than alphaMegabytes from one host to another within so many seconds, by flow"
              + " records, is an alpha flow");

  public static final Setting ELEPHANT_LIST_AT =
      Setting.text(
          "elephantListAt",
          "02:00",
          "When each day, in UTC, the lists of elephants are made anew from the flow records that"
              + " came since the day before",
          "a time of day from 00:00 to 23:59:59",
          "02:00",
          SettingTable::timeOfDay);

  public static final Setting ELEPHANT_LIST_PREFIXES =
      Setting.word(
          "elephantListPrefixes",
          List.of(ElephantListSettings.HOSTS, "subnets"),
          ElephantListSettings.HOSTS,
          "What the pairs of the lists of elephants are: hosts (/32 and /128) or subnets (/24 and"
              + " /48), of which more is found again and more is taken for an elephant that is none");

  public static final Setting ELEPHANT_LIST_DAYS =
      Setting.number(
          "elephantListDays",
          ListRule.DEFAULT_AGEING_DAYS,
          1,
          ListRule.LONGEST_DAYS,
          "For how many days after its last alpha flow a pair stays on the list of elephants");

  public static final Setting ELEPHANT_LIST_PAIRS =
      Setting.number(
          "elephantListPairs",
          ListRule.DEFAULT_MOST,
          1,
          100_000,
          "How many pairs are in force at most, of an exporter's list, and of all lists together"
              + " with elephantPairs: the switches' tables have no room for more; the largest are");

  public static final Setting ELEPHANT_LIST_USE =
      Setting.word(
          "elephantListUse",
          List.of("show", ElephantListSettings.APPLY),
          "show",
          "Whether the lists of elephants are only shown (show), or conversations between their"
              + " pairs are elephants (apply) where the scheme of their branch is utility-fair");

  public static final Setting GATEWAY =
      Setting.text(
          "gateway",
          "",
          "Address of the host by which packets from outside the network come in; empty: what comes"
              + " from there is not planned",
          "a host's address, or empty for none",
          "192.0.2.1",
          orEmpty(CanonicalAddress::of));

  public static final Setting LEASE =
      Setting.numberOrNone(
          "leaseSeconds",
          120,
          PlannerSettings.LEAST_LEASE_SECONDS,
          WEEK_SECONDS,
          120,
          "How long agents that do not hear the controller hold their rates, for those that"
              + " attach from now on; 0 for as long as they run");

  public static final Setting DEFAULT_RATE =
      Setting.text(
          "defaultRate",
          "500kbit",
          "What an agent gives a conversation before any plan knows of it",
          "a rate with its unit",
          "500kbit",
          SettingTable::rate);

  public static final Setting SAME_UTILITY =
      Setting.yesOrNo(
          "sameUtilityPerType",
          true,
          "Whether conversations with the same utility function get the same rate and delay");

  public static final Setting SOLVER =
      Setting.word(
          "solver",
          SolverMethod.words(),
          SolverMethod.AUTO.word(),
          "By which method plans are solved: auto (exact where one bottleneck decides, else"
              + " network), exact, network, or milp (the paper's program in OR-Tools, within"
              + " milpLimitSeconds); where the one chosen gives no answer, auto does");

  public static final Setting MILP_LIMIT =
      Setting.number(
          "milpLimitSeconds",
          60,
          1,
          HOUR_SECONDS,
          "How long a plan waits for solver milp, while rates stay as they are, before auto"
              + " answers in its place");

  public static final Setting MAX_RULES =
      Setting.number(
              "maxRulesPerSwitch",
              10_000,
              0,
              MANY,
              "How many flow rules conversations may have on a switch")
          .readAtStart();

  public static final Setting MAX_METERS =
      Setting.number(
              "maxMetersPerSwitch",
              1_000,
              0,
              MANY,
              "How many conversations may be metered at a switch")
          .readAtStart();

  /** Far above what offices have: nobody who is honest is to meet it. */
  public static final Setting MAX_HOSTS =
      Setting.number(
          "maxHostsPerPort",
          4_096,
          1,
          MANY,
          "How many hosts behind one port ONOS knows, and default forwarding has rules for: those"
              + " that it had rules for before, then those that were seen first");

  /** What a few hundred hosts behind one port ask when they all come at once. */
  public static final Setting CONTROLLER_PACKETS =
      Setting.numberOrNone(
          "controllerPacketsPerPort",
          200,
          10,
          MANY,
          200,
          "How many packets a second the controller gets of what hosts behind one port ask, and as"
              + " many of IPv4 that they send to whom nobody knows, and as many of each at once; the"
              + " switch drops what is beyond; 0 for any number");

  /** Less than a twentieth above would drop what agents pace. */
  public static final Setting SAFETY_NET =
      Setting.numberOrNone(
          "safetyNetThousandths",
          0,
          1_050,
          100 * WHOLE,
          1_250,
          "A drop meter at the first switch above what an agent paces, in thousandths of the rate"
              + " (1250 is a quarter above); 0 for none");

  public static final Setting MANAGED_DSCP =
      Setting.numberOrNone(
          "managedDscp",
          0,
          1,
          63,
          34,
          "The DSCP that managed packets get at their first switch, for ports that keep them apart;"
              + " 0 for none");

  /** RFC 4594 has AF11 for high-throughput data that may wait. */
  public static final Setting ELEPHANT_DSCP =
      Setting.number(
          "elephantDscp",
          10,
          1,
          63,
          "The DSCP by which ports with two queues tell elephants from others; another one than"
              + " managedDscp");

  public static final Setting COUNTER_PERIOD =
      Setting.number(
          "counterSeconds",
          5,
          1,
          LONGEST_COUNTER_SECONDS,
          "How often switches are asked for the counters of their ports, in seconds");

  public static final Setting QUEUE_COUNTER_PERIOD =
      counterPeriod(
          "queueCounterSeconds",
          "How often switches are asked for the counters of their queues, in seconds; 0: as often as"
              + " for those of ports, counterSeconds");

  public static final Setting METER_COUNTER_PERIOD =
      counterPeriod(
          "meterCounterSeconds",
          "How often switches are asked for the counters of conversations' meters, in seconds,"
              + " besides what schemes ask that measure; 0: as often as for those of ports"
              + " (counterSeconds), and twice in adaptivePeriodSeconds at least");

  public static final Setting GUEST_IDLE =
      Setting.number(
          "guestIdleSeconds",
          60,
          10,
          HOUR_SECONDS,
          "How long nothing is counted of a conversation that a naming rule found before it is over;"
              + " longer than the pauses of players of videos, which are no ends");

  public static final Setting CHANGES_KEPT =
      Setting.number(
          "changesKept",
          100_000,
          10,
          MANY,
          "How many of the newest changes are kept in the log, at least; older ones are exported to"
              + " files and then removed, a hundred at a time");

  /** So many that the one in force, a trial and the way back are always among them. */
  public static final Setting VERSIONS_KEPT =
      Setting.number(
          "versionsKept",
          1_000,
          10,
          MANY,
          "How many of the newest versions of the policy are kept, at least, besides those that drafts"
              + " were made from; older ones are exported to files and then removed, a hundred at a"
              + " time");

  /** Several segments of the log of ONOS's own store, of 64 MB each, and of Karaf's log. */
  public static final Setting DISK_ALARM =
      Setting.numberOrNone(
          "diskAlarmMegabytes",
          500,
          1,
          MANY,
          500,
          "How much must be free on the disk that ONOS keeps its stores on, in megabytes, else an"
              + " alarm says that it is nearly full; 0 for no such alarm");

  public static final Setting KPI_LIFE =
      Setting.number(
          "kpiLifeSeconds",
          120,
          10,
          HOUR_SECONDS,
          "How long a KPI that an application reported counts, in seconds; longer than the pauses"
              + " between two reports of one");

  public static final Setting EXPERIENCE_ALARM =
      Setting.number(
          "experienceAlarmSeconds",
          30,
          1,
          HOUR_SECONDS,
          "For how long what users experience must be more than 0.5 below what was predicted, in"
              + " seconds, before it is an alarm");

  public static final Setting REQUESTS =
      Setting.number(
          "requestsPerSecond",
          100,
          0,
          1_000_000,
          "How many requests a second each user may send to REST and RESTCONF on the average, and"
              + " ten times as many at once; 0 for no limit");

  private static final List<Setting> ALL =
      List.of(
          MODE,
          BIND_ADDRESS,
          PORT,
          TLS_DIRECTORY,
          WITHOUT_CERTIFICATES,
          USABLE,
          USABLE_LEAST,
          USABLE_MOST,
          RESERVE,
          EPSILON,
          LEND,
          SCHEME_PLACES,
          FIXED_RATE,
          ADAPTIVE_SHARE,
          ADAPTIVE_MARGIN,
          ADAPTIVE_HEADROOM,
          ADAPTIVE_GROWTH,
          ADAPTIVE_FLOOR,
          ADAPTIVE_PERIOD,
          CLASS_SHARE,
          CLASS_ALPHA,
          CLASS_BETA,
          CLASS_GAMMA,
          CLASS_DELTA,
          CLASS_LOWER_MEAN,
          CLASS_SPLITS,
          CLASS_PERIOD,
          CLASS_METERS,
          ELEPHANT_SHARE,
          ELEPHANT_HEADROOM,
          ELEPHANT_MARGIN,
          ELEPHANT_BRANCHES,
          ELEPHANT_PAIRS,
          ELEPHANT_MEGABYTES,
          ELEPHANT_SECONDS,
          FLOW_EXPORTERS,
          FLOW_PORT,
          ALPHA_MEGABYTES,
          ALPHA_SECONDS,
          ELEPHANT_LIST_AT,
          ELEPHANT_LIST_PREFIXES,
          ELEPHANT_LIST_DAYS,
          ELEPHANT_LIST_PAIRS,
          ELEPHANT_LIST_USE,
          GATEWAY,
          LEASE,
          DEFAULT_RATE,
          SAME_UTILITY,
          SOLVER,
          MILP_LIMIT,
          MAX_RULES,
          MAX_METERS,
          MAX_HOSTS,
          CONTROLLER_PACKETS,
          SAFETY_NET,
          MANAGED_DSCP,
          ELEPHANT_DSCP,
          COUNTER_PERIOD,
          QUEUE_COUNTER_PERIOD,
          METER_COUNTER_PERIOD,
          GUEST_IDLE,
          CHANGES_KEPT,
          VERSIONS_KEPT,
          DISK_ALARM,
          KPI_LIFE,
          EXPERIENCE_ALARM,
          REQUESTS);

  private SettingTable() {}

  public static List<Setting> all() {
    return ALL;
  }

  public static Optional<Setting> find(String name) {
    return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst();
  }

  private static Setting usableBound(String name, int example, String meaning) {
    return Setting.numberOrAs("usableThousandths", name, 1, WHOLE, example, meaning);
  }

  /** Of one kind of counter; 0 goes by another setting. */
  private static Setting counterPeriod(String name, String meaning) {
    return Setting.numberOrAs("counterSeconds", name, 1, LONGEST_COUNTER_SECONDS, 5, meaning);
  }

  private static UnaryOperator<String> orEmpty(UnaryOperator<String> form) {
    return text -> text.isEmpty() ? text : form.apply(text);
  }

  private static String addressOrName(String text) {
    return ADDRESS_OR_NAME.matcher(text).matches() ? text : CanonicalAddress.of(text);
  }

  private static String directory(String text) {
    if (!Path.of(text).isAbsolute()) {
      throw new IllegalArgumentException("It depends on where ONOS was started.");
    }
    return text;
  }

  private static String branches(String text) {
    return ElephantSettings.branches(text).stream()
        .map(IntentPath::toString)
        .collect(Collectors.joining(","));
  }

  private static String places(String text) {
    return SchemePlace.parse(text).stream()
        .map(SchemePlace::toString)
        .collect(Collectors.joining(","));
  }

  private static String exporters(String text) {
    return ElephantListSettings.exporters(text).stream()
        .map(IpAddress::toString)
        .collect(Collectors.joining(","));
  }

  private static String timeOfDay(String text) {
    try {
      return LocalTime.parse(text).truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("It is no time of day.", e);
    }
  }

  private static String pairs(String text) {
    return ElephantSettings.pairs(text).stream()
        .map(pair -> pair.source() + ">" + pair.destination())
        .collect(Collectors.joining(","));
  }

  private static String rate(String text) {
    if (DataRate.parse(text).compareTo(DataRate.ZERO) <= 0) {
      throw new IllegalArgumentException("Nothing could be sent.");
    }
    return text;
  }
}
