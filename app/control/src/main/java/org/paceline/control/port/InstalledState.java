package org.paceline.control.port;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.InstalledElement;

/**
 * What one kind of enforcer really holds, read back and not remembered: the reconciler's eyes and
 * hands. Both methods are called on the worker and must not wait.
 */
public interface InstalledState {
  /**
   * Asks the network for everything that each conversation needs of this enforcer. Completes within
   * about a second, on any thread; an element whose place does not answer is {@code UNKNOWN}. A
   * conversation without elements may be left out.
   */
  CompletableFuture<Map<ConversationId, List<InstalledElement>>> read();

  /** Writes a drifted element again; the next reading shows whether it helped. */
  void repair(ConversationId id, InstalledElement element);
}
