package org.paceline.control.inventory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.Proof;
import org.paceline.intents.unit.DataRate;

/** Writes into the proofs what enforcers read back and counted. */
public final class EnforcerReports {
  private static final int MILLIBITS_PER_BYTE = 8_000;

  private final ProofBook book;
  private final BoundedJournal journal;

  public EnforcerReports(ProofBook book, BoundedJournal journal) {
    this.book = book;
    this.journal = journal;
  }

  public void acknowledged(Instant now, List<InstalledRate> rates) {
    for (InstalledRate rate : rates) {
      boolean installed = rate.error().isEmpty();
      boolean first =
          installed
              && book.find(rate.id())
                  .filter(p -> p.state() != ConversationState.RECOMMENDED)
                  .map(p -> p.computed().isPresent() && p.installedAt().isEmpty())
                  .orElse(false);
      book.change(
          rate.id(),
          p -> {
            p.installed(rate.rate());
            // What an enforcer says of a rate does not tell why there is no grant.
            if (p.build().state() != ConversationState.UNSERVED) {
              p.reason(rate.error());
            }
            if (first) {
              p.installedAt(now);
            }
          });
      if (!installed) {
        journal.warn(
            rate.id().host(), "Conversation " + rate.id() + " is not paced: " + rate.error());
      }
    }
  }

  /** What an agent knows of a conversation whose bytes its switch counts. */
  public void described(Counters counters) {
    book.change(
        counters.id(),
        p -> {
          p.sockets(counters.sockets()).tcp(counters.tcp());
          if (!counters.kpis().isEmpty()) {
            p.kpis(counters.kpis());
          }
        });
  }

  public void counted(Instant at, Counters counters) {
    book.find(counters.id())
        .ifPresent(before -> book.change(counters.id(), p -> measure(p, before, at, counters)));
  }

  private static void measure(Proof.Builder proof, Proof before, Instant at, Counters counters) {
    proof
        .sentBytes(counters.sentBytes())
        .sentPackets(counters.sentPackets())
        .droppedPackets(counters.droppedPackets())
        .sockets(counters.sockets())
        .tcp(counters.tcp())
        .installed(counters.installed())
        .countedAt(at);
    // A switch that counts the same conversation knows none, and what was measured stays true.
    if (!counters.kpis().isEmpty()) {
      proof.kpis(counters.kpis());
    }
    before
        .countedAt()
        .map(then -> Duration.between(then, at).toNanos())
        .filter(nanos -> nanos > 0 && counters.sentBytes() >= before.sentBytes())
        .ifPresent(
            nanos -> {
              double bytes = counters.sentBytes() - before.sentBytes();
              proof.measured(
                  DataRate.ofMillibitsPerSecond(
                      Math.round(bytes * MILLIBITS_PER_BYTE / (nanos / 1e9))));
            });
  }
}
