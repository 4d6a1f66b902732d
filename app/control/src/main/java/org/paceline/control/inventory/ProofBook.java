package org.paceline.control.inventory;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.control.work.Each;

/** Every conversation that is known, by id. One thread writes; anybody reads. */
public final class ProofBook {
  private final Map<ConversationId, Proof> proofs = new ConcurrentSkipListMap<>();
  private final List<Consumer<Proof>> listeners = new CopyOnWriteArrayList<>();

  public void put(Proof proof) {
    proofs.put(proof.conversation().id(), proof);
  }

  /** Changes what is known of a conversation; one that is over is left alone. */
  public void change(ConversationId id, Consumer<Proof.Builder> change) {
    proofs.computeIfPresent(
        id,
        (same, proof) -> {
          Proof.Builder builder = proof.toBuilder();
          change.accept(builder);
          return builder.build();
        });
  }

  /** What was known last of a conversation that is over. */
  public Optional<Proof> remove(ConversationId id) {
    Optional<Proof> last = Optional.ofNullable(proofs.remove(id));
    last.ifPresent(proof -> Each.of(listeners, listener -> listener.accept(proof)));
    return last;
  }

  /** Told, by the thread that writes, of each conversation that is over. */
  public void onRemoval(Consumer<Proof> listener) {
    listeners.add(listener);
  }

  public Optional<Proof> find(ConversationId id) {
    return Optional.ofNullable(proofs.get(id));
  }

  /** Ordered by id; a live view that never throws while it changes. */
  public Collection<Proof> all() {
    return Collections.unmodifiableCollection(proofs.values());
  }
}
