package org.paceline.control.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.reservations.BrokenPromises;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationDesk;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.view.ElephantView;
import org.paceline.control.view.ReservationView;
import org.paceline.intents.unit.DataRate;

/** Rates that are asked for ahead, and which of them the network cannot keep. */
public final class ReservationService {
  private final Reservations reservations;
  private final BrokenPromises brokenPromises;
  private final ReservationDesk desk;
  private final IntentPolicies policies;
  private final ProofBook proofs;

  public ReservationService(
      Reservations reservations,
      BrokenPromises brokenPromises,
      ChangeLog changes,
      IntentPolicies policies,
      ProofBook proofs) {
    this.reservations = reservations;
    this.brokenPromises = brokenPromises;
    this.desk = new ReservationDesk(reservations, changes);
    this.policies = policies;
    this.proofs = proofs;
  }

  /** What is held or committed. */
  public Reservations reservations() {
    return reservations;
  }

  /** All that are held or committed, and transfers that ended a while ago. */
  public List<ReservationView> all() {
    return reservations.withEnded().stream().map(this::view).collect(Collectors.toList());
  }

  /** Who is led apart, and what circuits promise whom of them. */
  public List<ElephantView> elephants() {
    return ElephantView.of(proofs.all(), reservations.due(proofs.all()));
  }

  /** How it stands with one. */
  public ReservationView view(Reservation one) {
    return ReservationView.of(
        one,
        Instant.now(),
        brokenPromises.shortfall(one),
        reservations.usable(one),
        reservations.aboveCeiling(one));
  }

  /** To make them and give them back. */
  public ReservationDesk desk() {
    return desk;
  }

  /**
   * The very request.
   *
   * @throws IllegalArgumentException if the tree has no such intent
   */
  public ReservationRequest mustBeOfKnownIntent(ReservationRequest requested) {
    policies.mustKnow(requested.intent());
    return requested;
  }

  /**
   * What asks for a rate, from now on and for a while, for a conversation and those of the same
   * intent between its hosts; empty where there is no such conversation.
   */
  public Optional<ReservationRequest> boost(ConversationId id, DataRate rate, Duration length) {
    Instant now = Instant.now();
    return proofs
        .find(id)
        .map(
            proof ->
                ReservationRequest.of(
                    proof.requested().node().toString(),
                    proof.conversation().localAddress(),
                    proof.conversation().remoteAddress(),
                    rate,
                    now,
                    length,
                    now.plus(length)));
  }
}
