package org.paceline.cli.conversations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;

/** Completes the ids of conversations. */
@Service
public final class ConversationCompleter extends NameCompleter<ConversationService> {
  public ConversationCompleter() {
    super(UseCases::conversations);
  }

  @Override
  protected Stream<String> names(ConversationService use) {
    return use.proofs().all().stream().map(proof -> proof.conversation().id().toString());
  }
}
