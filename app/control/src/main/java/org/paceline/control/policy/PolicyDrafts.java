package org.paceline.control.policy;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.paceline.control.change.Author;
import org.paceline.control.change.Begun;
import org.paceline.control.change.Refused;
import org.paceline.control.port.Records;
import org.paceline.intents.tree.IntentTree;

/** Intent trees that are prepared beside the one in force, under names such as a ticket's. */
public final class PolicyDrafts {
  private static final int MOST = 200;

  private final Records<PolicyDraft> drafts;
  private final PolicyVersions versions;
  private final Clock clock;

  public PolicyDrafts(Records<PolicyDraft> drafts, PolicyVersions versions, Clock clock) {
    this.drafts = drafts;
    this.versions = versions;
    this.clock = clock;
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
   * Keeps the tree as a draft of this name, made from the version in force.
   *
   * @throws Refused if there are too many
   */
  public synchronized PolicyDraft put(String name, Author author, IntentTree tree) {
    PolicyDraft draft =
        PolicyDraft.of(name, clock.instant(), author, versions.inForce().number(), tree);
    if (drafts.size() >= MOST && drafts.find(name).isEmpty()) {
      throw new Refused("There are " + MOST + " drafts. Maybe remove one that nobody needs.");
    }
    drafts.replace(name, draft);
    return draft;
  }

  public synchronized void remove(String name) {
    drafts.remove(name);
  }

  /** Whether this change kept the draft, or took it away. */
  public boolean isMade(Begun change) {
    Optional<PolicyDraft> draft = find(change.subject().key());
    return change.isKept()
        ? draft.filter(kept -> !kept.at().isBefore(change.change().at())).isPresent()
        : draft.isEmpty();
  }

  /** Takes away what a crash left here when it was in force already. */
  public synchronized void forgetCommitted() {
    PolicyVersion now = versions.inForce();
    all().stream()
        .filter(draft -> draft.base() == now.number() - 1 && draft.tree().equals(now.tree()))
        .forEach(draft -> drafts.remove(draft.name()));
  }

  /**
   * Puts the draft in force and takes it away.
   *
   * @throws Refused if another version came into force since the draft was made
   */
  public synchronized PolicyVersion commit(
      PolicyDraft draft, Author author, String body, Optional<Duration> confirmWithin) {
    PolicyVersion now = versions.inForce();
    if (now.number() != draft.base()) {
      throw new Refused(
          "The draft ("
              + draft.name()
              + ") was made from version "
              + draft.base()
              + ", and version "
              + now.number()
              + " is in force. Maybe put it again and look at the difference.");
    }
    PolicyVersion committed =
        versions.commit(
            author,
            "Draft " + draft.name() + " is put in force.",
            body,
            tree -> draft.tree(),
            confirmWithin);
    try {
      drafts.remove(draft.name());
    } catch (RuntimeException storeIsAway) {
      // It is in force all the same; the next start takes it away.
    }
    return committed;
  }
}
