package org.paceline.control.policy;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.RecordExport;
import org.paceline.control.audit.RecordRetention;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;
import org.paceline.control.port.Records;
import org.paceline.intents.tree.IntentTree;

/**
 * Intent trees that are prepared beside the one in force, under names such as a ticket's; each step
 * is in the log of changes.
 */
public final class PolicyDrafts {
  private static final int MOST = 200;

  private final Records<PolicyDraft> drafts;
  private final PolicyVersions versions;
  private final ChangeLog changes;
  private final Clock clock;
  private final Function<IntentTree, String> text;

  /**
   * @param text how the log of changes shows a tree
   */
  public PolicyDrafts(
      Records<PolicyDraft> drafts,
      PolicyVersions versions,
      ChangeLog changes,
      Clock clock,
      Function<IntentTree, String> text) {
    this.drafts = drafts;
    this.versions = versions;
    this.changes = changes;
    this.clock = clock;
    this.text = text;
    versions.onChange(this::forgetMadeTo);
  }

  /**
   * What removes the oldest versions of the policy. Those that drafts were made from stay: a draft
   * may go on where its version's tree is in force again.
   *
   * @param kept how many of the newest stay in any case, ten or more
   */
  public RecordRetention<PolicyVersion> retentionOfVersions(
      IntSupplier kept, RecordExport<PolicyVersion> export) {
    return versions.retention(
        kept,
        export,
        () -> all().stream().map(PolicyDraft::base).collect(Collectors.toUnmodifiableSet()));
  }

  /** By name. */
  public List<PolicyDraft> all() {
    return new TreeSet<>(drafts.keys())
        .stream()
            .map(drafts::find)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableList());
  }

  public Optional<PolicyDraft> find(String name) {
    return drafts.find(name);
  }

  /**
   * @throws Denied if the user may not keep the tree under this name
   */
  public void mustBeAllowed(User who, String name, IntentTree tree) {
    mustBeAllowed(who, tree);
    find(name).ifPresent(draft -> mustBeTheirs(who, draft.tree()));
  }

  /**
   * @throws Denied if the user may not put the draft of this tree in force
   */
  public void mustBeAllowed(User who, IntentTree tree) {
    mustBeTheirs(who, tree);
    versions.mustBeAllowed(who, versions.inForce().tree(), tree);
  }

  /**
   * @throws Denied if the user may not take the draft of this tree away
   */
  public void mustBeTheirs(User who, IntentTree tree) {
    IntentTree now = versions.inForce().tree();
    who.mustBeAllowedTree(now.differences(tree), now.policies().keySet());
  }

  /**
   * Keeps the tree as a draft of this name, made from the version in force. What the author's
   * request has kept already is not kept again.
   *
   * @param body what was sent to ask for it
   * @throws Refused if there are too many
   */
  public PolicyDraft put(String name, Author author, String body, IntentTree tree) {
    // As versions are made, one after the other: a version may take a draft away.
    synchronized (versions) {
      Optional<PolicyDraft> before = find(name);
      if (author.request().isPresent()
          && before.filter(b -> b.author().request().equals(author.request())).isPresent()) {
        return before.get();
      }
      PolicyDraft draft =
          PolicyDraft.of(name, clock.instant(), author, versions.inForce().number(), tree);
      if (drafts.size() >= MOST && before.isEmpty()) {
        throw new Refused("There are " + MOST + " drafts. Maybe remove one that nobody needs.");
      }
      return changes.carryOut(
          author,
          subject(name),
          "Draft " + name + " is kept.",
          body,
          shown(name),
          text.apply(tree),
          at -> {
            // So it is known for what the change made.
            PolicyDraft kept = PolicyDraft.of(name, at, author, draft.base(), draft.tree());
            drafts.replace(name, kept);
            return kept;
          });
    }
  }

  /** Whether there was one to take away. */
  public boolean remove(String name, Author author, String body) {
    synchronized (versions) {
      if (find(name).isEmpty()) {
        return false;
      }
      return changes.carryOut(
          author,
          subject(name),
          "Draft " + name + " is taken away.",
          body,
          shown(name),
          "",
          at -> {
            drafts.remove(name);
            return true;
          });
    }
  }

  private static Subject subject(String name) {
    return Subject.of(Subject.Kind.DRAFT, name);
  }

  private String shown(String name) {
    return find(name).map(PolicyDraft::tree).map(text).orElse("");
  }

  /** Whether this change kept the draft, or took it away. */
  public boolean isMade(PendingChange change) {
    Optional<PolicyDraft> draft = find(change.subject().key());
    return change.isKept()
        ? draft.filter(kept -> !kept.at().isBefore(change.change().at())).isPresent()
        : draft.isEmpty();
  }

  /** Takes away what a crash left here when it was in force already, for good. */
  public void forgetCommitted() {
    synchronized (versions) {
      forgetMadeTo(versions.inForce());
    }
  }

  /** A confirmed trial's draft is in force for good; one whose time ran out keeps its draft. */
  private void forgetMadeTo(PolicyVersion version) {
    Optional<PolicyVersion> confirmed =
        versions
            .find(version.number() - 1)
            .filter(trial -> trial.confirmUntil().isPresent())
            .filter(trial -> trial.tree().equals(version.tree()));
    if (version.confirmUntil().isEmpty()) {
      forget(draft -> isMadeTo(draft, confirmed.orElse(version)));
    }
  }

  /** Somebody else's draft may have the same tree, and stays. */
  private static boolean isMadeTo(PolicyDraft draft, PolicyVersion version) {
    return draft.base() < version.number()
        && draft.tree().equals(version.tree())
        && version.draft().equals(Optional.of(draft.name()));
  }

  private void forget(Predicate<PolicyDraft> isDone) {
    try {
      all().stream().filter(isDone).forEach(draft -> drafts.remove(draft.name()));
    } catch (RuntimeException storeIsAway) {
      // They are in force all the same; the next start takes them away.
    }
  }

  /**
   * Puts the draft in force, for its own ticket unless the author names one. It is taken away when
   * it is in force for good: where there is a trial, when that is confirmed.
   *
   * @param draft as the user has seen it
   * @throws Denied if the user may not put it in force
   * @throws Refused if another tree came into force since the draft was made, or the draft was
   *     changed or taken away since
   */
  public PolicyVersion commit(
      User who, PolicyDraft draft, Author author, String body, Optional<Duration> confirmWithin) {
    Author by =
        author.ticket().isPresent()
            ? author
            : Author.of(author.actor(), draft.author().ticket()).by(author.request());
    // What is checked here must still be so when the version is made.
    synchronized (versions) {
      return versions
          .madeFor(by)
          .orElseGet(
              () -> {
                mustBeAllowed(who, draft.tree());
                mustBeKept(draft);
                PolicyVersion committed =
                    versions.commit(
                        by,
                        "Draft " + draft.name() + " is put in force.",
                        Optional.of(draft.name()),
                        body,
                        tree -> next(draft, tree),
                        confirmWithin);
                if (committed.confirmUntil().isEmpty()) {
                  forget(kept -> kept.equals(draft));
                }
                return committed;
              });
    }
  }

  private void mustBeKept(PolicyDraft draft) {
    if (find(draft.name()).filter(draft::equals).isEmpty()) {
      throw new Refused(
          "The draft ("
              + draft.name()
              + ") was changed or taken away since you saw it. Maybe look at the drafts again.");
    }
  }

  /** What nobody has prepared anything of. */
  public IntentTree inForce() {
    return versions.inForce().tree();
  }

  /**
   * What a change of the draft of this name begins with: the draft's own tree, or the tree in force
   * where there is no such draft yet.
   *
   * @throws Refused if another tree came into force since the draft was made
   */
  public IntentTree goOnWith(String name) {
    IntentTree now = versions.inForce().tree();
    return find(name).map(draft -> next(draft, now)).orElse(now);
  }

  /** Of a version that went back since, such as a trial that nobody confirmed, nothing is left. */
  private IntentTree next(PolicyDraft draft, IntentTree now) {
    long inForce = versions.inForce().number();
    boolean isOfThis =
        draft.base() == inForce
            || versions.find(draft.base()).map(PolicyVersion::tree).filter(now::equals).isPresent();
    if (!isOfThis) {
      throw new Refused(
          "The draft ("
              + draft.name()
              + ") was made from version "
              + draft.base()
              + ", and version "
              + inForce
              + " is in force. Maybe put it again and look at the difference.");
    }
    return draft.tree();
  }
}
