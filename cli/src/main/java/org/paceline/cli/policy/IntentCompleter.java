package org.paceline.cli.policy;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.intents.tree.IntentPath;

/** Completes the nodes of the intent tree. */
@Service
public final class IntentCompleter extends NameCompleter<PolicyService> {
  public IntentCompleter() {
    super(UseCases::policy);
  }

  @Override
  protected Stream<String> names(PolicyService use) {
    return use.policies().tree().policies().keySet().stream().map(IntentPath::toString);
  }
}
