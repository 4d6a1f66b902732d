package org.paceline.control.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.paceline.control.borrowing.Loans;
import org.paceline.control.borrowing.Pools;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.Meter;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.directive.Route;
import org.paceline.control.inventory.NewcomerClaims;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.port.Journal;
import org.paceline.control.port.RateSender;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.work.Faults;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/**
 * Makes a plan true without ever overloading a link on the way: a rate goes down at once, and up
 * only as far as what everybody else may still be sending leaves room ({@link RateLedger}); and so
 * do conversations change their ways ({@link PathChanges}). Acknowledgements and arrivals make more
 * room, and each calls for the next step.
 *
 * <p>A host gets its next batch when it has acknowledged the one before: what changes meanwhile is
 * sent once, at its newest. Batches are small, and newcomers come first and wait for no
 * acknowledgement, so that nobody waits for the adjustment of hundreds of others. Nor does anybody
 * wait for that of newcomers. Others wait for the room that somebody yields, so that is told at
 * once: a batch of rates beyond those that are not acknowledged, and pools always ({@link
 * UnansweredBatches}). To change meters that stand takes a switch so little that far more go at
 * once.
 *
 * <p>An elephant counts with the rate that the plan reckons with, and is let go only when its
 * packets are kept apart; and kept apart until it is held again. Where a port of its path has no
 * queues, for whoever divides it refuses or does not answer, it is held to that rate.
 */
final class Rollout {
  /** So few that a host is soon free for the next newcomer. */
  private static final int BATCH = 32;

  /** As many meters as a switch changes well within the time that it is given to answer. */
  private static final int BATCH_OF_METERS = 512;

  /** A newcomer's first rate is at least this part of its grant. */
  private static final int LEAST_PART = 10;

  /** A pool grows to less than it is to have only where that is so much more than it has. */
  private static final double WORTHWHILE = 1.05;

  /**
   * Of a link that has less, rates would follow nothing if meters waited for room. Whoever gave it
   * so little knows its queue to hold what meters let through at once.
   */
  private static final double LEAST_HEADROOM = 0.03;

  private final RateSender sender;
  private final Faults faults;
  private final Predicate<Path> keepsApart;
  private final RateLedger ledger = new RateLedger();
  private final NewcomerClaims claims = new NewcomerClaims();
  private final MeterRefills refills = new MeterRefills();
  private final PathChanges moves;
  private final UnansweredBatches unanswered = new UnansweredBatches();
  private final Set<ConversationId> everInstalled = new HashSet<>();
  private final Map<ConversationId, Integer> ranks = new HashMap<>();

  /** With whom each was told last to share a meter; who has one of its own is not named. */
  private final Map<ConversationId, MeterGroup> groups = new HashMap<>();

  /** Who was told last that nobody holds it. */
  private final Set<ConversationId> letGo = new HashSet<>();

  /** Who was told a rate after that, and may not have heard it. */
  private final Set<ConversationId> heldAgain = new HashSet<>();

  private Map<LinkId, Long> limits = Map.of();

  /** What links carry whose headroom is for the buckets of meters, in millibits per second. */
  private Map<LinkId, Long> capacities = Map.of();

  /** What the widest link of each node carries away from it, in millibits per second. */
  private Map<String, Long> access = Map.of();

  private Directives wanted = Directives.NONE;
  private Loans loans = Loans.NONE;
  private Pools pools = Pools.NONE;
  private long version;

  /**
   * @param onArrival is run when a conversation has moved: others may have room now
   * @param keepsApart whether the ports of a path have queues for elephants now
   */
  Rollout(
      RateSender sender,
      Journal journal,
      PathChanges.Guide guide,
      Executor worker,
      Runnable onArrival,
      Predicate<Path> keepsApart) {
    this.sender = sender;
    this.faults = new Faults(journal);
    this.keepsApart = keepsApart;
    this.moves = new PathChanges(ledger, guide, worker, onArrival);
  }

  /** The newest number given to a plan or a batch. */
  long version() {
    return version;
  }

  /** Numbers go on from here, so that an agent that outlived a controller sees them grow. */
  void continueFrom(long known) {
    version = Math.max(version, known);
  }

  long nextVersion() {
    return ++version;
  }

  /**
   * @param full what links carry
   * @param usable what may ever be sent over them
   */
  void limitTo(Network full, Network usable) {
    Map<LinkId, Long> changed = new HashMap<>();
    for (Link link : usable.links()) {
      changed.put(link.id(), link.limitMillibits());
    }
    limits = changed;
    Map<String, Long> widest = new HashMap<>();
    Map<LinkId, Long> carried = new HashMap<>();
    for (Link link : full.links()) {
      long capacity = link.capacity().millibitsPerSecond();
      if (capacity - changed.getOrDefault(link.id(), 0L) >= capacity * LEAST_HEADROOM) {
        carried.put(link.id(), capacity);
      }
      widest.merge(link.id().from(), capacity, Math::max);
    }
    access = widest;
    capacities = carried;
  }

  /** From now on these come on top of the grants. */
  void lend(Loans granted) {
    loans = granted;
  }

  /** From now on these may borrow at the kernel's speed. */
  void pool(Pools sized) {
    pools = sized;
  }

  private long target(ConversationId id, Pace pace) {
    long planned = pace.rate().millibitsPerSecond() + loans.to(id).millibitsPerSecond();
    return Math.min(planned, moves.most(id));
  }

  private Map<LinkId, Long> limitsWithLoans() {
    Map<LinkId, Long> all = new HashMap<>(limits);
    loans
        .beyondPlan()
        .forEach(
            (link, rate) -> all.computeIfPresent(link, (l, x) -> x + rate.millibitsPerSecond()));
    return all;
  }

  /**
   * From now on these are to become true.
   *
   * @param led those who are to be led along their path, which they may have taken before
   * @param before the links that a newcomer with this path takes until it is led
   */
  void aimAt(
      Directives directives,
      Set<ConversationId> led,
      Map<ConversationId, Conversation> conversations,
      BiFunction<Conversation, Path, Set<LinkId>> before) {
    wanted = directives;
    wanted
        .routes()
        .forEach(
            (id, route) -> {
              Conversation conversation = conversations.get(id);
              if (conversation != null && !ledger.knows(id)) {
                ledger.enter(
                    id,
                    before.apply(conversation, route.path()),
                    conversation.pool(),
                    counting(conversation, inForce(conversation, route).millibitsPerSecond()));
              } else if (conversation != null) {
                ledger.join(id, conversation.pool());
              }
              if (ledger.knows(id)) {
                ledger.bound(id, access.getOrDefault(route.path().from(), Long.MAX_VALUE));
              }
              if (led.contains(id)) {
                moves.want(id, route.path());
              }
            });
  }

  /** Who was let go by a controller before this one is so still, and its packets are marked. */
  private DataRate inForce(Conversation conversation, Route route) {
    Pace pace = wanted.paces().get(conversation.id());
    return route.isApart()
            && pace != null
            && PlannerSettings.isUnlimited(conversation.rateInForce())
        ? pace.rate()
        : conversation.rateInForce();
  }

  /** Of a newcomer that is to yield, what it came with, while its host is believed that. */
  private long counting(Conversation newcomer, long inForce) {
    Pace pace = wanted.paces().get(newcomer.id());
    long planned = pace == null ? inForce : target(newcomer.id(), pace);
    return planned >= inForce || claims.isBelieved(newcomer.id()) ? inForce : planned;
  }

  /** Whether a conversation that is to take this path is to be kept apart there. */
  boolean isApart(ConversationId id, Path path) {
    return Optional.ofNullable(wanted.routes().get(id))
        .filter(route -> route.isApart() && route.path().equals(path))
        .isPresent();
  }

  /**
   * Another enforcer holds it from now on, and is told its rate; until it has answered, what the
   * one before may let it send still counts.
   */
  void heldOtherwise(Conversation conversation) {
    ConversationId id = conversation.id();
    if (ledger.knows(id)) {
      ledger.forgetCommand(id);
      ledger.join(id, conversation.pool());
      Optional.ofNullable(wanted.routes().get(id)).ifPresent(route -> moves.want(id, route.path()));
    }
  }

  void ended(ConversationId id) {
    letGo.remove(id);
    heldAgain.remove(id);
    moves.forget(id);
    refills.forget(id);
    claims.end(id);
    ledger.leave(id);
    everInstalled.remove(id);
    ranks.remove(id);
    groups.remove(id);
  }

  /**
   * The agent is new or back: what it has not answered it may not have heard. What else it does not
   * hold any more shows in the rates that it says are in force, and it lets nobody borrow.
   */
  void restart(String host) {
    unanswered.forget(host);
    ledger.returned(host);
  }

  /** Does what can be done now; the hosts that were told something, with the batch's number. */
  Map<String, Long> step(Map<ConversationId, Conversation> conversations, Instant now) {
    claims.pass(now);
    refills.pass(now);
    Map<LinkId, Long> allowed = limitsWithLoans();
    moves.go(allowed, this::mustBeHeldFirst, this::isApart);
    Map<String, Long> told = send(conversations, allowed);
    boolean atRest = told.isEmpty() && unanswered.isEmpty();
    return atRest && moves.makeRoom(allowed) ? send(conversations, allowed) : told;
  }

  /** After how long the next step may tell a meter what has to wait now; empty for nothing. */
  Optional<Duration> waits() {
    return refills.until();
  }

  /** It may send anything yet, and would meet others where it is to go. */
  private boolean mustBeHeldFirst(ConversationId id) {
    return (letGo.contains(id) || heldAgain.contains(id)) && !isApart(id);
  }

  private boolean isApart(ConversationId id) {
    return Optional.ofNullable(wanted.routes().get(id)).filter(Route::isApart).isPresent();
  }

  private Map<String, Long> send(
      Map<ConversationId, Conversation> conversations, Map<LinkId, Long> allowed) {
    Map<String, Batch> batches = new TreeMap<>();
    long number = version + 1;
    // Whoever yields comes before those who gain, who see only the room that is left for sure.
    for (ConversationId id : pending(conversations)) {
      Conversation conversation = conversations.get(id);
      Pace planned = wanted.paces().get(id);
      if (conversation == null || planned == null || !planned.isHeld() && moves.isMoving(id)) {
        continue;
      }
      Pace pace = isHeld(id, planned) ? planned.held() : planned;
      Batch batch = batch(batches, id.host());
      UnansweredBatches.Kind kind = kind(id, planned);
      if (batch.hasRoom(kind, unanswered.yielding(id.host()), mostAtOnce(conversation))) {
        long rate = affordable(id, target(id, pace), allowed);
        long upTo = affordableLimit(id, allowed);
        boolean borrows = upTo != ledger.borrowsUpTo(id) || upTo > 0 && isRankedAnew(id);
        if (rate == 0 && borrows) {
          // Until others have made room a newcomer has what it came with, and what it borrows.
          rate = ledger.commanded(id).orElse(ledger.possible(id));
        }
        boolean isOther = isLetGo(id) == pace.isHeld();
        if (rate == 0 && isOther && pace.isHeld()) {
          // Whoever was let go is held at once, and has more when there is room.
          rate = Math.min(target(id, pace), ledger.possible(id));
        }
        boolean isTold = ledger.commanded(id).equals(Optional.of(rate));
        boolean regroups = !groupTold(id).equals(group(pace, conversation));
        boolean isNews = rate > 0 && (borrows || isOther || regroups || !isTold);
        if (isNews && !isOther && !regroups && !mayRefill(conversation, rate)) {
          refills.waits(id);
        } else if (isNews) {
          Pace paced =
              pace.at(DataRate.ofMillibitsPerSecond(rate))
                  .upTo(DataRate.ofMillibitsPerSecond(upTo), pools.rank(id));
          batch.put(kind, conversation, carriedOut(paced, conversation));
          if (conversation.isMetered()) {
            refills.told(id, rate, ledger.links(id));
          }
          ledger.sent(id, number, rate, upTo);
          told(id, pace);
          ranks.put(id, pools.rank(id));
          group(pace, conversation)
              .ifPresentOrElse(group -> groups.put(id, group), () -> groups.remove(id));
        }
      }
    }
    for (PoolId id : ledger.pools()) {
      long rate = affordable(id, allowed);
      boolean yields = rate < ledger.commanded(id);
      boolean isNews = rate != ledger.commanded(id) || ledger.isToBeToldAgain(id);
      if (isNews && (yields || !unanswered.hasOthers(id.host()))) {
        batch(batches, id.host()).put(id, DataRate.ofMillibitsPerSecond(rate), yields);
        ledger.sent(id, number, rate);
      }
    }
    batches.values().removeIf(Batch::isEmpty);
    Map<String, Long> told = new LinkedHashMap<>();
    if (!batches.isEmpty()) {
      version = number;
      batches.forEach(
          (host, batch) -> {
            unanswered.sent(host, number, batch.yielding, batch.hasOthers);
            told.put(host, number);
            send(host, number, batch);
          });
    }
    return told;
  }

  /** Whether its meter, if it stands, may have another rate now, and a full bucket. */
  private boolean mayRefill(Conversation conversation, long rate) {
    ConversationId id = conversation.id();
    if (!conversation.isMetered() || !everInstalled.contains(id)) {
      return true;
    }
    Map<LinkId, Long> loads = new HashMap<>();
    ledger.links(id).forEach(link -> loads.put(link, ledger.load(link)));
    return refills.fits(ledger.possible(id), rate, loads, capacities);
  }

  /**
   * What cannot be said is as what is lost on its way: nobody answers it, the rates before it still
   * count, and it is told again.
   */
  private void send(String host, long number, Batch batch) {
    try {
      sender.send(host, number, batch.rates, batch.pools);
    } catch (RuntimeException | Error bug) {
      faults.write("Host " + host + " could not be told its rates; it is told them again", bug);
    }
  }

  /** A meter that is yet to be made takes a rule, too, which is written when the meter stands. */
  private int mostAtOnce(Conversation conversation) {
    return conversation.isMetered() && everInstalled.contains(conversation.id())
        ? BATCH_OF_METERS
        : BATCH;
  }

  /** Whom the plan lets go is held yet while a port of its path would not keep it from others. */
  private boolean isHeld(ConversationId id, Pace planned) {
    return planned.isHeld()
        || Optional.ofNullable(wanted.routes().get(id))
            .filter(route -> keepsApart.test(route.path()))
            .isEmpty();
  }

  /** What one host is told at once. */
  private static final class Batch {
    final Map<Conversation, RateDirective> rates = new LinkedHashMap<>();
    final Map<PoolId, DataRate> pools = new TreeMap<>();
    int yielding;
    boolean hasOthers;

    /**
     * @param unanswered how many rates that yield the host has not answered
     */
    boolean hasRoom(UnansweredBatches.Kind kind, int unanswered, int most) {
      return rates.size() < most
          && (kind != UnansweredBatches.Kind.YIELDING || yielding + unanswered < most);
    }

    void put(UnansweredBatches.Kind kind, Conversation conversation, RateDirective directive) {
      rates.put(conversation, directive);
      yielding += kind == UnansweredBatches.Kind.YIELDING ? 1 : 0;
      hasOthers |= kind == UnansweredBatches.Kind.OTHER;
    }

    void put(PoolId id, DataRate rate, boolean yields) {
      pools.put(id, rate);
      hasOthers |= !yields;
    }

    boolean isEmpty() {
      return rates.isEmpty() && pools.isEmpty();
    }
  }

  private static Batch batch(Map<String, Batch> batches, String host) {
    return batches.computeIfAbsent(host, h -> new Batch());
  }

  private boolean isLetGo(ConversationId id) {
    return letGo.contains(id);
  }

  private void told(ConversationId id, Pace pace) {
    if (!pace.isHeld()) {
      letGo.add(id);
      heldAgain.remove(id);
    } else if (letGo.remove(id)) {
      heldAgain.add(id);
    }
  }

  /**
   * Who has no agent that paces it is limited by its first switch. Whom nobody holds passes by the
   * same devices, which count it, at a rate beyond all links.
   */
  private static RateDirective carriedOut(Pace wanted, Conversation conversation) {
    Pace pace = wanted.isHeld() ? wanted : wanted.at(PlannerSettings.UNLIMITED);
    if (!conversation.isMetered()) {
      return pace;
    }
    return group(pace, conversation).isPresent()
        ? Meter.sharedInsteadOf(pace)
        : Meter.insteadOf(pace);
  }

  /** Whose agent is not believed has a meter of its own: by that is seen what it sends. */
  private static Optional<MeterGroup> group(Pace pace, Conversation conversation) {
    return conversation.enforcement() == Enforcement.FIRST_HOP
        ? pace.meterGroup()
        : Optional.empty();
  }

  private Optional<MeterGroup> groupTold(ConversationId id) {
    return Optional.ofNullable(groups.get(id));
  }

  /** As much of the target as can be sent now; 0 for nothing. */
  private long affordable(ConversationId id, long target, Map<LinkId, Long> allowed) {
    long possible = ledger.possible(id);
    if (target <= possible) {
      return target;
    }
    long rate = Math.min(target, ledger.room(id, allowed));
    // A newcomer takes what there is at once, but not a trickle: a kernel that has just let a
    // packet go at 1 kbit/s holds the next one for seconds, whatever it is told meanwhile. The
    // others wait until their step is whole.
    boolean worthwhile =
        rate == target
            || !everInstalled.contains(id) && rate > possible && rate >= target / LEAST_PART;
    return worthwhile ? rate : 0;
  }

  /** Up to what it is to borrow; 0 for not at all. */
  private long limit(ConversationId id) {
    return moves.mayBorrow(id) ? pools.limit(id) : 0;
  }

  /** Up to what it may borrow now; 0 for not at all. */
  private long affordableLimit(ConversationId id, Map<LinkId, Long> allowed) {
    long upTo = limit(id);
    return upTo > 0 && ledger.mayBorrow(id, allowed) ? upTo : 0;
  }

  /** As much of what the pool is to have as it can have now. */
  private long affordable(PoolId id, Map<LinkId, Long> allowed) {
    long target = pools.rate(id);
    if (target <= ledger.possible(id)) {
      return target;
    }
    long rate = Math.min(target, ledger.room(id, allowed));
    boolean worthwhile = rate == target || rate > ledger.possible(id) * WORTHWHILE;
    return worthwhile ? rate : ledger.commanded(id);
  }

  /**
   * Who was not told its grant, and whose host is free unless it is new or yields: newcomers, then
   * whose meter had to wait, who yields, who gains.
   */
  private List<ConversationId> pending(Map<ConversationId, Conversation> conversations) {
    List<ConversationId> pending = new ArrayList<>();
    wanted
        .paces()
        .forEach(
            (id, pace) -> {
              Conversation conversation = conversations.get(id);
              if (conversation == null) {
                return;
              }
              boolean isTold = ledger.commanded(id).equals(Optional.of(target(id, pace)));
              if (isTold) {
                refills.forget(id);
              }
              boolean waits =
                  kind(id, pace) == UnansweredBatches.Kind.OTHER && unanswered.hasOthers(id.host());
              if (!waits
                  && (!isTold
                      || isLetGo(id) == isHeld(id, pace)
                      || ledger.borrowsUpTo(id) != limit(id)
                      || !groupTold(id).equals(group(pace, conversation))
                      || limit(id) > 0 && isRankedAnew(id))) {
                pending.add(id);
              }
            });
    pending.sort(
        Comparator.<ConversationId, Boolean>comparing(everInstalled::contains)
            .thenComparing(refills.longestFirst())
            .thenComparing(this::gains)
            .thenComparing(ledger::possible)
            .thenComparing(Comparator.naturalOrder()));
    return pending;
  }

  /** Whoever yields has less than it was told, or may borrow no more. */
  private UnansweredBatches.Kind kind(ConversationId id, Pace pace) {
    Optional<Long> told = ledger.commanded(id);
    if (told.isEmpty()) {
      return UnansweredBatches.Kind.FIRST;
    }
    boolean isOther = isLetGo(id) == isHeld(id, pace);
    boolean yields = target(id, pace) < told.get() || limit(id) == 0 && ledger.borrowsUpTo(id) > 0;
    return yields && !isOther ? UnansweredBatches.Kind.YIELDING : UnansweredBatches.Kind.OTHER;
  }

  /** Whether it was told another rank, or none. What a new agent holds is told anew anyway. */
  private boolean isRankedAnew(ConversationId id) {
    return ranks.getOrDefault(id, 0) != pools.rank(id);
  }

  private boolean gains(ConversationId id) {
    Pace pace = wanted.paces().get(id);
    return pace != null && target(id, pace) > ledger.possible(id);
  }

  void acknowledged(
      String host, long number, List<InstalledRate> installed, Map<PoolId, DataRate> pooled) {
    for (InstalledRate one : installed) {
      boolean held = one.error().isEmpty();
      ledger.acknowledged(one.id(), number, counting(one.id(), one.rate()), held);
      if (held && ledger.knows(one.id())) {
        everInstalled.add(one.id());
        claims.end(one.id());
        if (!PlannerSettings.isUnlimited(one.rate()) && !ledger.isUnanswered(one.id())) {
          heldAgain.remove(one.id());
        }
      }
    }
    pooled.forEach((id, rate) -> ledger.acknowledged(id, number, rate.millibitsPerSecond()));
    unanswered.end(host, number);
  }

  /** The host did not answer in time; the next batch may go, and the old rates still count. */
  boolean gaveUpWaiting(String host, long number) {
    return unanswered.end(host, number);
  }

  /** Whether the rate that was read back is not the one that was told: it is told again. */
  boolean observed(ConversationId id, DataRate rate) {
    if (ledger.knows(id) && !ledger.isUnanswered(id) && !PlannerSettings.isUnlimited(rate)) {
      letGo.remove(id);
      heldAgain.remove(id);
    }
    return ledger.observed(id, counting(id, rate));
  }

  /** With what it counts on links: whom nobody holds, with what plans reckon with. */
  private long counting(ConversationId id, DataRate rate) {
    return isLetGo(id) && PlannerSettings.isUnlimited(rate)
        ? ledger.commanded(id).orElse(rate.millibitsPerSecond())
        : rate.millibitsPerSecond();
  }

  /** The greatest sum of rates that can be on the link now. */
  DataRate possibleLoad(LinkId link) {
    return DataRate.ofMillibitsPerSecond(ledger.load(link));
  }
}
