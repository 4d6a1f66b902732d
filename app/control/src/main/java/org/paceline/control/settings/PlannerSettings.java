package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Utility;

/** How the planner divides. */
@AutoValue
public abstract class PlannerSettings {
  private static final long THOUSAND = 1_000;
  static final int GREATEST_LOAN = 200;

  /** So that nobody who is ruled by utility is left without any room. */
  static final int GREATEST_FIXED = 990;

  /** The same, besides what is fixed, of reservations and of service classes. */
  static final int GREATEST_SHARE = 990;

  /** What an agent is told that is to hold nobody back: beyond what a conversation can send. */
  public static final DataRate UNLIMITED = DataRate.ofKilobitsPerSecond(100_000_000);

  /** The controller's heartbeat comes every 2 s; a shorter lease would end between two. */
  static final int LEAST_LEASE_SECONDS = 6;

  public static final PlannerSettings DEFAULT = of(SettingValues.byDefault());

  /** What an operator has set, and what nobody can set. */
  public static PlannerSettings of(SettingValues values) {
    return builder()
        .mode(PlanMode.parse(values.text(SettingTable.MODE)))
        .usableThousandths(values.number(SettingTable.USABLE))
        .usableLeastThousandths(values.number(SettingTable.USABLE_LEAST))
        .usableMostThousandths(values.number(SettingTable.USABLE_MOST))
        .adaptedThousandths(Map.of())
        .reserveThousandths(values.number(SettingTable.RESERVE))
        .lendThousandths(values.number(SettingTable.LEND))
        .fixedRateThousandths(values.number(SettingTable.FIXED_RATE))
        .adaptive(AdaptiveSettings.of(values))
        .classes(ClassSettings.of(values))
        .elephants(ElephantSettings.of(values))
        .places(SchemePlace.parse(values.text(SettingTable.SCHEME_PLACES)))
        .gateway(values.text(SettingTable.GATEWAY))
        .lease(Duration.ofSeconds(values.number(SettingTable.LEASE)))
        .defaultRate(DataRate.parse(values.text(SettingTable.DEFAULT_RATE)))
        .sharing(
            values.isTrue(SettingTable.SAME_UTILITY) ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE)
        .solver(SolverMethod.parse(values.text(SettingTable.SOLVER)))
        .milpLimit(Duration.ofSeconds(values.number(SettingTable.MILP_LIMIT)))
        .epsilonBillionths(values.number(SettingTable.EPSILON) * (Utility.SCALE / 1_000))
        .coalescing(Duration.ofMillis(3))
        .acknowledgementLimit(Duration.ofMillis(500))
        .agentGrace(Duration.ofSeconds(10))
        .restartHold(Duration.ofSeconds(30))
        .solveLimit(Duration.ofMillis(300))
        .refusalPause(Duration.ofSeconds(10))
        .build();
  }

  public abstract PlanMode mode();

  /**
   * How much of a link's capacity conversations may use, in thousandths: below 1000, so that queues
   * stay empty in spite of bursts and of traffic that nobody manages.
   */
  public abstract int usableThousandths();

  /** Down to what it falls where a queue is seen to grow; 0: it does not. */
  public abstract int usableLeastThousandths();

  /** Up to what it grows where a full link has no queue; 0: it does not. */
  public abstract int usableMostThousandths();

  /** What it is now of those links of which it was adapted to what was measured there. */
  public abstract Map<LinkId, Integer> adaptedThousandths();

  /** Of the capacity, what a plan leaves for conversations that open before the next one. */
  public abstract int reserveThousandths();

  /**
   * How much of a link's capacity may be lent at most: what conversations leave unused of their
   * grants, to those that use theirs fully; 0: none of it. Until lenders that come back have been
   * given their own again, so much more may be sent. What no grant takes is lent in any case.
   */
  public abstract int lendThousandths();

  /**
   * How much of what a plan divides of each link the fixed-rate scheme may take, in thousandths;
   * what it does not need is there for the others.
   */
  public abstract int fixedRateThousandths();

  /** How adaptive reservations divide what they may take. */
  public abstract AdaptiveSettings adaptive();

  /** How service classes divide what they may take. */
  public abstract ClassSettings classes();

  /** Who is kept apart from the others, and how. */
  public abstract ElephantSettings elephants();

  /** Where schemes rule whom no branch of the intent tree does; the first that fits counts. */
  public abstract List<SchemePlace> places();

  /**
   * The address of the host by which packets from outside the network come in; empty: nothing from
   * there is planned.
   */
  public abstract String gateway();

  /** What an agent gives a conversation at once, before any plan knows of it. */
  public abstract DataRate defaultRate();

  /** What an agent is told to give a conversation that has no grant. */
  public DataRate rateWithoutGrant() {
    return mode() == PlanMode.SHADOW ? UNLIMITED : defaultRate();
  }

  /** Whether an enforcer that holds this rate holds nobody back; it rounds down. */
  public static boolean isUnlimited(DataRate held) {
    return held.toKbpsFloor() >= UNLIMITED.toKbpsFloor() / 100 * 99;
  }

  /**
   * By how much utility, in billionths, a plan may leave the worst-off below what they could have,
   * for the sake of the sum (Sieber et al. 2020, equation 5: the slack epsilon).
   */
  public abstract long epsilonBillionths();

  public abstract Sharing sharing();

  /** How long events are collected before they are planned together. */
  public abstract Duration coalescing();

  /** How long a host that does not acknowledge holds back the next rates for it. */
  public abstract Duration acknowledgementLimit();

  /** How long the conversations of an agent that has stopped keep their share. */
  public abstract Duration agentGrace();

  /**
   * How long an agent that does not hear the controller holds its rates; zero: for as long as it
   * runs. A controller that starts again within it finds them as they were.
   */
  public abstract Duration lease();

  /**
   * How long the conversations of an agent that fell silent keep their share: it may be paced as it
   * was told for a whole lease yet.
   */
  public Duration silenceGrace() {
    return lease().compareTo(agentGrace()) > 0 ? lease() : agentGrace();
  }

  /** How long a restarted controller waits for those who were here before it makes a plan. */
  public abstract Duration restartHold();

  public abstract SolverMethod solver();

  public abstract Duration solveLimit();

  /** How long a plan waits for the paper's program. */
  public abstract Duration milpLimit();

  /** How long a conversation that a switch refused is left out of plans. */
  public abstract Duration refusalPause();

  /** The least of a link that conversations may use, whatever is measured. */
  public int leastUsable() {
    return usableLeastThousandths() == 0 ? usableThousandths() : usableLeastThousandths();
  }

  /** The most of a link that conversations may use, whatever is measured. */
  public int mostUsable() {
    return usableMostThousandths() == 0 ? usableThousandths() : usableMostThousandths();
  }

  /** Whether what is measured on a link changes how much of it conversations may use. */
  public boolean isUsableAdapted() {
    return mode() != PlanMode.SHADOW && leastUsable() < mostUsable();
  }

  private int usable(LinkId link) {
    return adaptedThousandths().getOrDefault(link, usableThousandths());
  }

  /** The network with only what may ever be sent. */
  public Network usable(Network full) {
    return scaled(full, this::usable);
  }

  /** The network with what a plan may grant. */
  public Network plannable(Network full) {
    return scaled(full, link -> usable(link) - reserveThousandths());
  }

  /** The network with what a plan may grant whatever is measured: a promise is for later. */
  public Network promisable(Network full) {
    return scaled(full, leastUsable() - reserveThousandths());
  }

  /** The network with what may be lent on it at most. */
  public Network lendable(Network full) {
    return scaled(full, lendThousandths());
  }

  public static Network scaled(Network full, int thousandths) {
    return scaled(full, link -> thousandths);
  }

  private static Network scaled(Network full, ToIntFunction<LinkId> part) {
    List<Link> links = new ArrayList<>();
    for (Link link : full.links()) {
      long capacity = link.capacity().millibitsPerSecond();
      int thousandths = part.applyAsInt(link.id());
      links.add(
          link.withCapacity(
              DataRate.ofMillibitsPerSecond(
                  capacity / THOUSAND * thousandths
                      + capacity % THOUSAND * thousandths / THOUSAND)));
    }
    return Network.of(full.nodes(), links);
  }

  public static Builder builder() {
    return new AutoValue_PlannerSettings.Builder();
  }

  public abstract Builder toBuilder();

  /** Builds settings. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder mode(PlanMode mode);

    public abstract Builder usableThousandths(int thousandths);

    public abstract Builder usableLeastThousandths(int thousandths);

    public abstract Builder usableMostThousandths(int thousandths);

    public abstract Builder adaptedThousandths(Map<LinkId, Integer> thousandths);

    public abstract Builder reserveThousandths(int thousandths);

    public abstract Builder lendThousandths(int thousandths);

    public abstract Builder fixedRateThousandths(int thousandths);

    public abstract Builder adaptive(AdaptiveSettings settings);

    public abstract Builder classes(ClassSettings settings);

    public abstract Builder elephants(ElephantSettings settings);

    public abstract Builder places(List<SchemePlace> places);

    public abstract Builder gateway(String address);

    public abstract Builder defaultRate(DataRate rate);

    public abstract Builder epsilonBillionths(long epsilon);

    public abstract Builder sharing(Sharing sharing);

    public abstract Builder coalescing(Duration duration);

    public abstract Builder acknowledgementLimit(Duration duration);

    public abstract Builder agentGrace(Duration duration);

    public abstract Builder lease(Duration duration);

    public abstract Builder restartHold(Duration duration);

    public abstract Builder solver(SolverMethod method);

    public abstract Builder solveLimit(Duration duration);

    public abstract Builder milpLimit(Duration duration);

    public abstract Builder refusalPause(Duration duration);

    abstract PlannerSettings autoBuild();

    /**
     * @throws IllegalArgumentException if nothing of a link would be left to grant
     */
    public PlannerSettings build() {
      PlannerSettings settings = autoBuild();
      if (settings.usableThousandths() > THOUSAND
          || settings.reserveThousandths() < 0
          || settings.usableThousandths() - settings.reserveThousandths() < 1) {
        throw new IllegalArgumentException(
            "The usable part ("
                + settings.usableThousandths()
                + " thousandths) must be at most 1000 and above the reserve ("
                + settings.reserveThousandths()
                + "). Maybe 960 and 10.");
      }
      if (settings.leastUsable() > settings.usableThousandths()
          || settings.leastUsable() <= settings.reserveThousandths()
          || settings.mostUsable() < settings.usableThousandths()
          || settings.mostUsable() > THOUSAND) {
        throw new IllegalArgumentException(
            "The usable part ("
                + settings.usableThousandths()
                + " thousandths) must lie between its bounds ("
                + settings.leastUsable()
                + ", above the reserve, and "
                + settings.mostUsable()
                + ", at most 1000). Maybe 900 and 990.");
      }
      if (settings.lendThousandths() < 0 || settings.lendThousandths() > GREATEST_LOAN) {
        throw new IllegalArgumentException(
            "The part that may be lent ("
                + settings.lendThousandths()
                + " thousandths) must lie from 0 (nothing) to "
                + GREATEST_LOAN
                + ". Maybe 60.");
      }
      if (settings.fixedRateThousandths() < 1 || settings.fixedRateThousandths() > GREATEST_FIXED) {
        throw new IllegalArgumentException(
            "The part that fixed rates may take ("
                + settings.fixedRateThousandths()
                + " thousandths) must lie from 1 to "
                + GREATEST_FIXED
                + ". Maybe 500.");
      }
      if (settings.lease().isNegative()
          || !settings.lease().isZero() && settings.lease().toSeconds() < LEAST_LEASE_SECONDS) {
        throw new IllegalArgumentException(
            "The lease ("
                + settings.lease().toSeconds()
                + " s) must be 0 (rates hold for as long as the agent runs) or "
                + LEAST_LEASE_SECONDS
                + " s or more, three heartbeats of the controller. Maybe 120.");
      }
      return settings;
    }
  }
}
