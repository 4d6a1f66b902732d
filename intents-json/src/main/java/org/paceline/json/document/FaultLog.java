package org.paceline.json.document;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects faults while a document is read, so that its author sees all of them at once. */
final class FaultLog {
  static final int LISTED = 50;
  private static final int ABANDONED = 10_000;

  private final List<Fault> faults = new ArrayList<>();
  private final List<Fault> warnings = new ArrayList<>();
  private int found;

  void add(String place, String message) {
    found++;
    if (faults.size() < LISTED) {
      faults.add(Fault.of(place, message));
    }
  }

  void warn(Supplier<String> place, String message) {
    // A place is written out only where it is kept: there may be as many as members.
    if (warnings.size() < LISTED) {
      warnings.add(Fault.of(place.get(), message));
    }
  }

  /** Whether a document is so bad that reading on tells its author nothing. */
  boolean isHopeless() {
    return found >= ABANDONED;
  }

  boolean isEmpty() {
    return found == 0;
  }

  int unlisted() {
    return found - faults.size();
  }

  List<Fault> faults() {
    return faults;
  }

  List<Fault> warnings() {
    return warnings;
  }
}
