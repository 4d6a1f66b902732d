package org.paceline.control.ingress;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/**
 * What agents, and switches in place of agents, count of each conversation, as flow records: the
 * second source beside exporters. One record is what was sent between two readings of a counter. On
 * the reconciler's worker.
 */
final class CountedFlows {
  private final Map<ConversationId, Reading> last = new HashMap<>();

  private static final class Reading {
    final Instant at;
    final long bytes;

    Reading(Instant at, long bytes) {
      this.at = at;
      this.bytes = bytes;
    }
  }

  /** Takes in what was counted until now. */
  void look(Collection<Proof> proofs, Consumer<FlowRecord> sink) {
    Set<String> sent = new HashSet<>();
    Set<ConversationId> there = new HashSet<>();
    for (Proof proof : proofs) {
      there.add(proof.conversation().id());
      if (!proof.conversation().incoming()) {
        sent.add(way(proof.conversation()));
      }
    }
    last.keySet().retainAll(there);
    for (Proof proof : proofs) {
      // The same packets, counted where they leave and where they arrive, would count twice.
      boolean isCounted =
          !proof.conversation().incoming() || !sent.contains(way(proof.conversation()));
      proof.countedAt().ifPresent(at -> read(proof, at, isCounted, sink));
    }
  }

  private void read(Proof proof, Instant at, boolean isCounted, Consumer<FlowRecord> sink) {
    Reading now = new Reading(at, proof.sentBytes());
    Reading before = last.get(proof.conversation().id());
    if (before != null && !at.isAfter(before.at)) {
      return;
    }
    last.put(proof.conversation().id(), now);
    // The first reading may hold days, and who counts less than before has begun anew.
    if (before == null || now.bytes <= before.bytes || !isCounted) {
      return;
    }
    IpAddress source = source(proof.conversation());
    IpAddress destination = destination(proof.conversation());
    // Nobody sends so; but agents may say what they like.
    if (source.isIpv4() != destination.isIpv4()) {
      return;
    }
    long bytes = Math.min(FlowRecord.MOST_BYTES, now.bytes - before.bytes);
    sink.accept(
        FlowRecord.of(source, destination, before.at.toEpochMilli(), at.toEpochMilli(), bytes));
  }

  /** What is counted while nobody asks is not taken for what is sent at once later. */
  void forget() {
    last.clear();
  }

  private static String way(Conversation conversation) {
    return source(conversation) + " " + destination(conversation);
  }

  private static IpAddress source(Conversation one) {
    return IpAddress.parse(one.incoming() ? one.remoteAddress() : one.localAddress());
  }

  private static IpAddress destination(Conversation one) {
    return IpAddress.parse(one.incoming() ? one.localAddress() : one.remoteAddress());
  }
}
