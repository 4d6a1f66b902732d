package org.paceline.control.experience;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.kpi.KpiReading;

/**
 * Writes into the proofs what users experience: of each conversation by the KPIs that its own
 * application reported, by the model of its intent, else by those of the opposite direction. What
 * is too old says nothing any more.
 */
public final class Experiences {
  private final ProofBook book;
  private final Supplier<Duration> life;
  private final Clock clock;

  /**
   * @param life how long a KPI counts that was reported
   */
  public Experiences(ProofBook book, Supplier<Duration> life, Clock clock) {
    this.book = book;
    this.life = life;
    this.clock = clock;
  }

  /** O(n) in conversations, where any application reports. By the one thread that writes. */
  public void refresh() {
    List<Proof> known =
        book.all().stream()
            .filter(proof -> !proof.kpis().isEmpty() || proof.experience().isPresent())
            .collect(Collectors.toCollection(ArrayList::new));
    if (known.isEmpty()) {
      return;
    }
    Instant oldest = clock.instant().minus(life.get());
    known.replaceAll(proof -> withoutOld(proof, oldest));
    Map<ConversationId, Experience> felt = new HashMap<>();
    known.forEach(proof -> own(proof).ifPresent(one -> felt.put(proof.conversation().id(), one)));
    OppositeDirections opposites = new OppositeDirections(felt.isEmpty() ? List.of() : book.all());
    for (Proof proof : known) {
      own(proof)
          .ifPresent(
              one ->
                  opposites
                      .of(proof)
                      .ifPresent(other -> felt.putIfAbsent(other.conversation().id(), one)));
    }
    known.forEach(proof -> write(proof.conversation().id(), felt));
    felt.keySet().forEach(id -> write(id, felt));
  }

  private static Optional<Experience> own(Proof proof) {
    return proof.requested().kpiModel().flatMap(model -> model.value().experience(proof.kpis()));
  }

  private Proof withoutOld(Proof proof, Instant oldest) {
    Map<String, KpiReading> fresh =
        proof.kpis().entrySet().stream()
            .filter(kpi -> !kpi.getValue().at().isBefore(oldest))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    if (fresh.size() == proof.kpis().size()) {
      return proof;
    }
    book.change(proof.conversation().id(), p -> p.kpis(fresh));
    return proof.toBuilder().kpis(fresh).build();
  }

  private void write(ConversationId id, Map<ConversationId, Experience> felt) {
    Optional<Experience> now = Optional.ofNullable(felt.get(id));
    if (book.find(id).filter(proof -> !proof.experience().equals(now)).isPresent()) {
      book.change(id, p -> p.experience(now));
    }
  }
}
