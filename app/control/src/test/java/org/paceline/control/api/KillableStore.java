package org.paceline.control.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;

/** What outlives a controller. Its process may be killed at a write, or a write may be refused. */
final class KillableStore {
  /** Writes until the process is killed. */
  long left = Long.MAX_VALUE;

  /** Writes until one is refused; none where negative. */
  long failing = -1;

  long written;
  final RememberedRecords<Change> changes = records();
  final RememberedRecords<PendingChange> begun = records();
  final RememberedRecords<PolicyVersion> versions = records();
  final RememberedRecords<PolicyDraft> drafts = records();
  final RememberedRecords<Reservation> reservations = records();
  final RememberedRecords<String> numbers = records();
  final RememberedRecords<Webhook> webhooks = records();
  final RememberedRecords<Ceiling> ceilings = records();
  final RememberedRecords<NamingRules> naming = records();
  final RememberedRecords<EnrolmentToken> enrolment = records();
  final RememberedRecords<Undelivered> outbox = records();

  private <T> RememberedRecords<T> records() {
    return new RememberedRecords<>(this::write);
  }

  void write() {
    if (failing-- == 0) {
      throw new IllegalStateException("the store is away");
    }
    if (left-- <= 0) {
      throw new Killed();
    }
    written++;
  }

  /** All that people see, but for when it was and for the log. */
  List<Object> seen() {
    return List.of(
        versions.keys().stream()
            .map(key -> versions.find(key).orElseThrow())
            // That of the start is kept with the second.
            .filter(one -> one.number() > 1)
            .map(
                one ->
                    List.of(
                        one.number(), one.reason(), one.draft(), one.author().actor(), one.tree()))
            .collect(Collectors.toSet()),
        drafts.keys(),
        reservations.keys().stream()
            .map(key -> reservations.find(key).orElseThrow())
            .filter(one -> !one.isGivenBack())
            // A number may be left out.
            .map(one -> List.of(one.requested(), one.isCommitted()))
            .collect(Collectors.toSet()),
        webhooks.keys(),
        ceilings.keys().stream().map(ceilings::find).collect(Collectors.toSet()),
        // Each is made of a secret of its own.
        enrolment.keys().stream()
            .map(key -> enrolment.find(key).orElseThrow().host())
            .collect(Collectors.toList()),
        naming.keys().stream()
            .max(Comparator.comparing(Long::valueOf))
            .flatMap(naming::find)
            .orElse(NamingRules.NONE));
  }

  Set<String> eventIds() {
    return outbox.keys().stream()
        .map(key -> outbox.find(key).orElseThrow().event().id())
        .collect(Collectors.toSet());
  }

  List<Change> log() {
    List<Change> log = new ArrayList<>();
    for (long n = 1; n <= changes.size(); n++) {
      log.add(changes.find(Long.toString(n)).orElseThrow());
    }
    return log;
  }

  /** Those that no other entry takes back. */
  List<String> made() {
    List<Change> log = log();
    Set<Long> refuted =
        log.stream().flatMap(one -> one.refutes().stream()).collect(Collectors.toSet());
    return log.stream()
        .filter(one -> one.refutes().isEmpty() && !refuted.contains(one.number()))
        .map(Change::operation)
        .collect(Collectors.toList());
  }

  /** What a killed process does next: nothing. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }
}
