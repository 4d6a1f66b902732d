package org.paceline.cli.conversations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.Enforcement;

/** Completes the ids of conversations that operators announced. */
@Service
public final class AnnouncedCompleter extends NameCompleter<ConversationService> {
  public AnnouncedCompleter() {
    super(UseCases::conversations);
  }

  @Override
  protected Stream<String> names(ConversationService use) {
    return use.proofs().all().stream()
        .map(proof -> proof.conversation())
        .filter(conversation -> conversation.enforcement() == Enforcement.FIRST_HOP)
        .map(conversation -> conversation.id().toString());
  }
}
