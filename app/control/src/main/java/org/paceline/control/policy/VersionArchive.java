package org.paceline.control.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Refused;
import org.paceline.control.port.Records;
import org.paceline.intents.tree.IntentTree;

/**
 * The versions of the policy as they are kept: numbered from 1 without a gap, none ever changed.
 */
final class VersionArchive {
  private final Records<PolicyVersion> versions;
  private final Instant opened;
  private final IntentTree atStart;
  private volatile Optional<PolicyVersion> lastFound = Optional.empty();

  /**
   * @param atStart the tree of version 1, which is recorded when there is a second
   */
  VersionArchive(Records<PolicyVersion> versions, Instant opened, IntentTree atStart) {
    this.versions = versions;
    this.opened = opened;
    this.atStart = atStart;
  }

  PolicyVersion latest() {
    long newest = versions.size();
    return find(newest)
        .orElseGet(
            () ->
                PolicyVersion.of(
                    Math.max(1, newest),
                    opened,
                    Author.PACELINE,
                    "What was there at the start.",
                    Optional.empty(),
                    readable(newest)));
  }

  /** The tree of the newest that can be read; what a newer Paceline has written cannot. */
  private IntentTree readable(long newest) {
    for (long n = newest; n > 0; n--) {
      Optional<PolicyVersion> version = find(n);
      if (version.isPresent()) {
        return version.get().tree();
      }
    }
    return atStart;
  }

  Optional<PolicyVersion> find(long number) {
    // None ever changes, and most ask for the one that was asked for before.
    Optional<PolicyVersion> known = lastFound.filter(version -> version.number() == number);
    if (known.isPresent()) {
      return known;
    }
    Optional<PolicyVersion> found = versions.find(Long.toString(number));
    lastFound = found.isPresent() ? found : lastFound;
    return found;
  }

  List<PolicyVersion> newest(int limit, long below) {
    List<PolicyVersion> found = new ArrayList<>();
    PolicyVersion latest = latest();
    for (long n = Math.min(latest.number(), below - 1); n > 0 && found.size() < limit; n--) {
      found.add(n == latest.number() ? latest : find(n).orElse(latest));
    }
    return found;
  }

  /** The newest before this one that has another tree: a version that confirms one has the same. */
  Optional<PolicyVersion> newestUnlike(PolicyVersion now) {
    for (long n = now.number() - 1; n > 0; n--) {
      Optional<PolicyVersion> unlike = find(n).filter(older -> !older.tree().equals(now.tree()));
      if (unlike.isPresent()) {
        return unlike;
      }
    }
    return Optional.empty();
  }

  /** The newest that came of the author's request. */
  Optional<PolicyVersion> madeFor(Author author) {
    if (author.request().isEmpty()) {
      return Optional.empty();
    }
    Instant since = author.request().get().firstAt();
    Optional<PolicyVersion> version = find(versions.size());
    while (version.isPresent() && !version.get().at().isBefore(since)) {
      if (version.get().author().request().equals(author.request())) {
        return version;
      }
      version = find(version.get().number() - 1);
    }
    return Optional.empty();
  }

  /**
   * @param before the latest
   * @throws Refused if another node of the cluster has just added one
   */
  PolicyVersion add(PolicyVersion before, PolicyVersion version) {
    if (versions.size() == 0) {
      versions.add(Long.toString(before.number()), before);
    }
    if (!versions.add(Long.toString(version.number()), version)) {
      throw new Refused(
          "Another node of the cluster changed the policy at the same moment. Maybe look at it"
              + " and try again.");
    }
    return version;
  }
}
