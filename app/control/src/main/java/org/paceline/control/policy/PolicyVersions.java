package org.paceline.control.policy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.NumberedRecords;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.RecordExport;
import org.paceline.control.audit.RecordRetention;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;
import org.paceline.control.model.Alarm;
import org.paceline.control.port.Worker;
import org.paceline.control.work.Each;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;

/**
 * Puts intent trees in force, one version after the other, each written to the log of changes. A
 * version is made when its record is written: opening puts the latest in force.
 */
public final class PolicyVersions {
  private static final Duration LONGEST_TRIAL = Duration.ofDays(7);
  private static final int TRIES = 20;

  private final IntentPolicies policies;
  private final VersionArchive archive;
  private final Instant opened;
  private final ChangeLog changes;
  private final Worker worker;
  private final Clock clock;
  private final Ceilings ceilings;
  private final Function<IntentTree, String> text;
  private final List<Consumer<PolicyVersion>> listeners = new CopyOnWriteArrayList<>();

  private PolicyVersions(
      IntentPolicies policies,
      NumberedRecords<PolicyVersion> versions,
      ChangeLog changes,
      Worker worker,
      Clock clock,
      Ceilings ceilings,
      Function<IntentTree, String> text) {
    this.policies = policies;
    this.opened = clock.instant();
    this.archive = new VersionArchive(versions, opened, policies.tree());
    this.changes = changes;
    this.worker = worker;
    this.clock = clock;
    this.ceilings = ceilings;
    this.text = text;
  }

  /**
   * @param policies with the tree of version 1 where no version is recorded yet
   * @param text how the log of changes shows a tree
   */
  public static PolicyVersions open(
      IntentPolicies policies,
      NumberedRecords<PolicyVersion> versions,
      ChangeLog changes,
      Worker worker,
      Clock clock,
      Ceilings ceilings,
      Function<IntentTree, String> text) {
    PolicyVersions opened =
        new PolicyVersions(policies, versions, changes, worker, clock, ceilings, text);
    opened.catchUp();
    return opened;
  }

  /** Told of each new version while nobody else can make one: it must not wait for anything. */
  public void onChange(Consumer<PolicyVersion> listener) {
    listeners.add(listener);
  }

  public synchronized PolicyVersion inForce() {
    return archive.latest();
  }

  public Optional<PolicyVersion> find(long number) {
    return archive.find(number);
  }

  /** That the newest version cannot be read, and another tree is in force. Asks no store. */
  public List<Alarm> alarms() {
    OptionalLong number = archive.unreadable();
    return number.isPresent()
        ? List.of(Alarm.ofPolicy(unreadable(number.getAsLong()), opened))
        : List.of();
  }

  private static String unreadable(long number) {
    return "Version "
        + number
        + " of the policy, the newest, cannot be read: its record is damaged, or of a Paceline that"
        + " this one does not know. The newest that can be read is in force, and the policy takes no"
        + " change. Maybe bring the store back from a backup, or give that version up: roll back.";
  }

  /**
   * @param hint where those that are kept are listed, as a sentence
   * @throws Absent if it is not kept
   */
  public PolicyVersion mustFind(long number, String hint) {
    return archive.mustFind(number, hint);
  }

  /** The newest first. */
  public List<PolicyVersion> newest(int limit, long below) {
    return archive.newest(limit, below);
  }

  /**
   * What removes the oldest versions. The newest ten or more always stay, and with them the one in
   * force, the one before a trial and the one that a way back leads to.
   *
   * @param kept how many of the newest stay in any case, ten or more
   * @param inUse looks up the numbers of others that stay
   */
  RecordRetention<PolicyVersion> retention(
      IntSupplier kept, RecordExport<PolicyVersion> export, Supplier<Set<Long>> inUse) {
    return archive.retention(kept, export, clock, inUse);
  }

  /** What an earlier try of the author's request put in force, before a crash cut it off. */
  public synchronized Optional<PolicyVersion> madeFor(Author author) {
    return archive.madeFor(author);
  }

  /** Whether this change put a version in force; then all who listen are told of it again. */
  public synchronized boolean isMade(PendingChange change) {
    Optional<PolicyVersion> made =
        find(Long.parseLong(change.subject().key()))
            .filter(version -> isOf(version, change.change()));
    made.ifPresent(this::tell);
    return made.isPresent();
  }

  /**
   * A version has the time of its change, and another try at the same number has its own. An
   * earlier Paceline's version is a little younger than its change: where no change at all has its
   * very time, it is taken for that of any before it.
   */
  private boolean isOf(PolicyVersion version, Change change) {
    return version.author().equals(change.author())
        && !version.at().isBefore(change.at())
        && (version.at().equals(change.at())
            || changes
                .newest(1, Long.MAX_VALUE, other -> other.at().equals(version.at()))
                .isEmpty());
  }

  private void tell(PolicyVersion version) {
    Each.of(listeners, listener -> listener.accept(version));
  }

  /**
   * Changes the tree in force; where nothing differs there is no new version. What the author's
   * request has made already is not made again.
   *
   * @param change of the tree in force. It may take its time, for it holds nobody up; where
   *     somebody was quicker it is asked again, of the tree that is in force then
   * @param body what was sent to ask for it
   * @param confirmWithin the time in which somebody must confirm it, or the tree before comes back
   * @throws Refused if the version in force waits to be confirmed, or others are quicker each time
   */
  public PolicyVersion commit(
      Author author,
      String reason,
      String body,
      UnaryOperator<IntentTree> change,
      Optional<Duration> confirmWithin) {
    return commit(author, reason, Optional.empty(), body, change, confirmWithin);
  }

  /**
   * @param draft the name of what is put in force, where it is a draft
   */
  PolicyVersion commit(
      Author author,
      String reason,
      Optional<String> draft,
      String body,
      UnaryOperator<IntentTree> change,
      Optional<Duration> confirmWithin) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<PolicyVersion> made = madeFor(author);
      if (made.isPresent()) {
        return made.get();
      }
      PolicyVersion before = inForce();
      mustTakeAnother(before, confirmWithin);
      IntentTree next = change.apply(before.tree());
      if (next.equals(before.tree())) {
        return before;
      }
      Optional<PolicyVersion> version =
          putUnlessOvertaken(before, author, reason, draft, body, confirmWithin, next);
      if (version.isPresent()) {
        return version.get();
      }
    }
    throw new Refused("Others kept changing the policy. Maybe try again.");
  }

  private synchronized Optional<PolicyVersion> putUnlessOvertaken(
      PolicyVersion before,
      Author author,
      String reason,
      Optional<String> draft,
      String body,
      Optional<Duration> confirmWithin,
      IntentTree next) {
    return inForce().equals(before)
        ? Optional.of(
            put(
                before,
                author,
                reason,
                draft,
                body,
                confirmWithin.map(clock.instant()::plus),
                next))
        : Optional.empty();
  }

  private void mustTakeAnother(PolicyVersion before, Optional<Duration> confirmWithin) {
    mustBeReadable();
    confirmWithin
        .filter(time -> time.isNegative() || time.isZero() || time.compareTo(LONGEST_TRIAL) > 0)
        .ifPresent(
            time -> {
              throw new IllegalArgumentException(
                  "The time to confirm ("
                      + time.toSeconds()
                      + " s) must be from 1 s to 7 days. Maybe 600 s.");
            });
    if (before.confirmUntil().isPresent()) {
      throw new Refused(
          "Version "
              + before.number()
              + " waits until "
              + before.confirmUntil().get()
              + " to be confirmed. Maybe confirm it or roll it back first.");
    }
  }

  /**
   * The version in force is here to stay. Whoever may change all that it changed may confirm it.
   *
   * @throws Refused if it does not wait to be confirmed
   * @throws Denied if that is not for this user
   */
  public synchronized PolicyVersion confirm(User who, Author author, String body) {
    return madeFor(author).orElseGet(() -> confirmed(who, author, body));
  }

  /** Whatever is built on another tree would bury what was accepted last. */
  private void mustBeReadable() {
    archive
        .unreadable()
        .ifPresent(
            number -> {
              throw new Refused(unreadable(number));
            });
  }

  private PolicyVersion confirmed(User who, Author author, String body) {
    PolicyVersion before = inForce();
    mustBeReadable();
    mustBeAllowed(who, before, beforeTrial(before));
    beforeTrial(before).ifPresent(last -> mustBeAllowed(who, last.tree(), before.tree()));
    if (before.confirmUntil().isEmpty()) {
      throw new Refused(
          "Version "
              + before.number()
              + " does not wait to be confirmed. Maybe its time had passed, or somebody was"
              + " quicker.");
    }
    String reason = "Version " + before.number() + " is confirmed.";
    return put(before, author, reason, Optional.empty(), body, Optional.empty(), before.tree());
  }

  /**
   * Puts an earlier version's tree in force: by default the newest that differs from the tree in
   * force, whatever confirmations lie between. So a second time undoes the first. Whoever may
   * change all that differs may go back. Where the newest version cannot be read, this gives it up,
   * by default for the tree that is in force in its place; nobody knows what differs, so that takes
   * an operator.
   *
   * @throws Refused if there is none before, or nothing would change
   * @throws Denied if that is not for this user
   */
  public synchronized PolicyVersion rollBack(
      User who, Author author, String body, Optional<Long> to) {
    return madeFor(author)
        .orElseGet(
            () -> {
              PolicyVersion before = inForce();
              if (archive.unreadable().isPresent()) {
                who.mustHold(Role.OPERATOR);
              }
              if (archive.unreadable().isPresent() && to.isEmpty()) {
                return giveUp(before, "", before.tree(), author, body);
              }
              Optional<PolicyVersion> target =
                  to.isEmpty()
                      ? archive.newestUnlike(before)
                      : find(to.get()).filter(version -> version.number() < before.number());
              mustBeAllowed(who, before, target);
              target.ifPresent(older -> mustBeAllowed(who, before.tree(), older.tree()));
              // What an older version has in common with a trial would be here to stay.
              mustBeAllowed(who, before, beforeTrial(before));
              return backTo(before, target.orElseThrow(() -> noTarget(before, to)), author, body);
            });
  }

  private Refused noTarget(PolicyVersion now, Optional<Long> to) {
    return new Refused(
        to.map(
                number ->
                    archive
                        .exportedTo(number)
                        .map(
                            place ->
                                "The version (" + number + ") is not kept here any more. " + place)
                        .orElseGet(
                            () ->
                                "There is no version ("
                                    + number
                                    + ") to go back to: the version in force is "
                                    + now.number()
                                    + ". Maybe the list of versions names the one that you"
                                    + " mean."))
            .orElseGet(
                () ->
                    "No version before "
                        + now.number()
                        + ", which is in force, has another tree: there is nothing to go back to."
                        + " Maybe nothing was changed yet."));
  }

  private PolicyVersion backTo(
      PolicyVersion before, PolicyVersion target, Author author, String body) {
    if (archive.unreadable().isPresent()) {
      return giveUp(
          before, "Back to version " + target.number() + ". ", target.tree(), author, body);
    }
    if (target.tree().equals(before.tree())) {
      throw new Refused(
          "The tree of version "
              + target.number()
              + " is that of version "
              + before.number()
              + ", which is in force: nothing would change. "
              + (before.confirmUntil().isPresent()
                  ? "Maybe confirm it."
                  : "Maybe go back without a number, to the tree before this one."));
    }
    String reason = "Back to version " + target.number() + ".";
    return put(before, author, reason, Optional.empty(), body, Optional.empty(), target.tree());
  }

  private PolicyVersion giveUp(
      PolicyVersion before, String how, IntentTree tree, Author author, String body) {
    String reason = how + "Version " + before.number() + " cannot be read, and is given up.";
    return put(before, author, reason, Optional.empty(), body, Optional.empty(), tree);
  }

  /** The nodes in which a version differs from the one before it: none if it only confirms that. */
  public SortedSet<IntentPath> changedBy(PolicyVersion version) {
    return find(version.number() - 1)
        .map(before -> before.tree().differences(version.tree()))
        .orElseGet(TreeSet::new);
  }

  /** Where the version in force waits to be confirmed: what comes back if nobody does. */
  private Optional<PolicyVersion> beforeTrial(PolicyVersion now) {
    return now.confirmUntil().flatMap(until -> find(now.number() - 1));
  }

  /** Without another version nothing differs, and whoever may change nothing is denied that. */
  private static void mustBeAllowed(User who, PolicyVersion now, Optional<PolicyVersion> other) {
    Set<IntentPath> differing =
        other.isEmpty() ? Set.of() : now.tree().differences(other.get().tree());
    who.mustBeAllowedTree(differing, now.tree().policies().keySet());
  }

  /**
   * @throws Denied if the user may not put another tree in the place of this one: for its nodes, or
   *     for a ceiling of theirs
   */
  public void mustBeAllowed(User who, IntentTree now, IntentTree next) {
    Set<IntentPath> changed = now.differences(next);
    who.mustBeAllowed(changed);
    ceilings.mustAllow(who, now, next, changed);
  }

  private PolicyVersion put(
      PolicyVersion before,
      Author author,
      String reason,
      Optional<String> draft,
      String body,
      Optional<Instant> confirmUntil,
      IntentTree next) {
    return changes.carryOut(
        author,
        Subject.of(Subject.Kind.POLICY, Long.toString(before.number() + 1)),
        reason,
        body,
        text.apply(before.tree()),
        text.apply(next),
        at -> {
          PolicyVersion version =
              archive.add(
                  before,
                  PolicyVersion.of(before.number() + 1, at, author, reason, confirmUntil, next)
                      .ofDraft(draft));
          putInForce(version);
          tell(version);
          return version;
        });
  }

  /**
   * Another node of the cluster has made a version. It is the newest that is put in force: the late
   * word of an earlier one must not undo a later one. Whoever made it tells of it.
   */
  public synchronized void catchUp() {
    putInForce(inForce());
  }

  private void putInForce(PolicyVersion version) {
    policies.replace(version.tree());
    version
        .confirmUntil()
        .ifPresent(
            until -> {
              Duration left = Duration.between(clock.instant(), until);
              worker.after(
                  left.isNegative() ? Duration.ZERO : left, () -> expire(version.number()));
            });
  }

  private synchronized void expire(long number) {
    PolicyVersion now = inForce();
    if (now.number() == number && now.confirmUntil().isPresent()) {
      archive
          .newestUnlike(now)
          .ifPresent(
              before -> backTo(now, before, Author.PACELINE, "Nobody confirmed it in time."));
    }
  }
}
