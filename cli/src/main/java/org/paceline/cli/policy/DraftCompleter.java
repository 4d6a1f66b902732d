package org.paceline.cli.policy;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.control.policy.PolicyDraft;

/** Completes the names of drafts. */
@Service
public final class DraftCompleter extends NameCompleter<PolicyService> {
  public DraftCompleter() {
    super(UseCases::policy);
  }

  @Override
  protected Stream<String> names(PolicyService use) {
    return use.drafts().all().stream().map(PolicyDraft::name);
  }
}
