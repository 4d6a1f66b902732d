package org.paceline.cli.conversations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;

/** Completes the names of users who talk, as their hosts' agents tell them. */
@Service
public final class UserCompleter extends NameCompleter<ConversationService> {
  public UserCompleter() {
    super(UseCases::conversations);
  }

  @Override
  protected Stream<String> names(ConversationService use) {
    return use.proofs().all().stream()
        .map(proof -> proof.conversation().user())
        .filter(user -> !user.isEmpty());
  }
}
