package org.paceline.control.policy;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.NumberedRecords;
import org.paceline.control.audit.RecordExport;
import org.paceline.control.audit.RecordRetention;
import org.paceline.control.audit.Refused;
import org.paceline.intents.tree.IntentTree;

/** The versions of the policy as they are kept: numbered from 1, none ever changed. */
final class VersionArchive {
  private final NumberedRecords<PolicyVersion> versions;
  private final Instant opened;
  private final IntentTree atStart;
  private volatile Optional<PolicyVersion> lastFound = Optional.empty();
  private volatile OptionalLong unreadable = OptionalLong.empty();

  /**
   * @param atStart the tree of version 1, which is recorded when there is a second
   */
  VersionArchive(NumberedRecords<PolicyVersion> versions, Instant opened, IntentTree atStart) {
    this.versions = versions;
    this.opened = opened;
    this.atStart = atStart;
  }

  PolicyVersion latest() {
    long newest = versions.newest();
    Optional<PolicyVersion> found = find(newest);
    unreadable = found.isPresent() || newest == 0 ? OptionalLong.empty() : OptionalLong.of(newest);
    return found.orElseGet(() -> newest == 0 ? first() : inPlaceOf(newest));
  }

  private PolicyVersion first() {
    return ofPaceline(1, "What was there at the start.", atStart);
  }

  /** With the tree of the newest that can be read, under the number of the one that cannot. */
  private PolicyVersion inPlaceOf(long number) {
    Iterator<PolicyVersion> readable = versions.newestFirst(number).iterator();
    PolicyVersion other = readable.hasNext() ? readable.next() : first();
    return ofPaceline(
        number,
        "Version "
            + number
            + " cannot be read; this is the tree of version "
            + other.number()
            + ".",
        other.tree());
  }

  private PolicyVersion ofPaceline(long number, String reason, IntentTree tree) {
    return PolicyVersion.of(number, opened, Author.PACELINE, reason, Optional.empty(), tree);
  }

  /**
   * The number of the newest where it was there and could not be read when {@link #latest} was
   * asked last: its record is damaged. Asks no store.
   */
  OptionalLong unreadable() {
    return unreadable;
  }

  Optional<PolicyVersion> find(long number) {
    // None ever changes, and most ask for the one that was asked for before.
    Optional<PolicyVersion> known = lastFound.filter(version -> version.number() == number);
    if (known.isPresent()) {
      return known;
    }
    Optional<PolicyVersion> found = versions.find(number);
    lastFound = found.isPresent() ? found : lastFound;
    return found;
  }

  /**
   * @param hint where those that are kept are listed, as a sentence
   * @throws Absent if it is not kept
   */
  PolicyVersion mustFind(long number, String hint) {
    PolicyVersion latest = latest();
    return number == latest.number()
        ? latest
        : find(number).orElseThrow(() -> versions.absent("version", number, hint));
  }

  /** Where it is, as a sentence, if it was exported and is not kept here any more. */
  Optional<String> exportedTo(long number) {
    return versions.exportedTo(number);
  }

  /**
   * What removes the oldest versions, but for those in use.
   *
   * @param inUse looks up their numbers
   */
  RecordRetention<PolicyVersion> retention(
      IntSupplier kept,
      RecordExport<PolicyVersion> export,
      Clock clock,
      Supplier<Set<Long>> inUse) {
    return new RecordRetention<>(
        versions,
        kept,
        export,
        version -> version.author().mayAskAgain(clock.instant()),
        () -> {
          Set<Long> numbers = inUse.get();
          return version -> numbers.contains(version.number());
        });
  }

  List<PolicyVersion> newest(int limit, long below) {
    List<PolicyVersion> found = new ArrayList<>();
    PolicyVersion latest = latest();
    if (limit > 0 && latest.number() < below) {
      found.add(latest);
    }
    Iterator<PolicyVersion> earlier =
        versions.newestFirst(Math.min(below, latest.number())).iterator();
    while (found.size() < limit && earlier.hasNext()) {
      found.add(earlier.next());
    }
    return found;
  }

  /** The newest before this one that has another tree: a version that confirms one has the same. */
  Optional<PolicyVersion> newestUnlike(PolicyVersion now) {
    for (PolicyVersion older : versions.newestFirst(now.number())) {
      if (!older.tree().equals(now.tree())) {
        return Optional.of(older);
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
    for (PolicyVersion version : versions.newestFirst(Long.MAX_VALUE)) {
      if (version.at().isBefore(since)) {
        break;
      }
      if (version.author().request().equals(author.request())) {
        return Optional.of(version);
      }
    }
    return Optional.empty();
  }

  /**
   * @param before the latest
   * @throws Refused if another node of the cluster has just added one
   */
  PolicyVersion add(PolicyVersion before, PolicyVersion version) {
    if (versions.newest() == 0) {
      versions.add(before.number(), before);
    }
    if (!versions.add(version.number(), version)) {
      throw new Refused(
          "Another node of the cluster changed the policy at the same moment. Maybe look at it"
              + " and try again.");
    }
    unreadable = OptionalLong.empty();
    return version;
  }
}
