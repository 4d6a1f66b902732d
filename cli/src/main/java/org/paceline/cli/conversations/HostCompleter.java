package org.paceline.cli.conversations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;

/** Completes the names of hosts whose conversations are known. */
@Service
public final class HostCompleter extends NameCompleter<ConversationService> {
  public HostCompleter() {
    super(UseCases::conversations);
  }

  @Override
  protected Stream<String> names(ConversationService use) {
    return use.proofs().all().stream().map(proof -> proof.conversation().id().host());
  }
}
