package org.paceline.cli.policy;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;

/** Completes the numbers of the policy's last versions. */
@Service
public final class VersionCompleter extends NameCompleter<PolicyService> {
  private static final int LAST = 20;

  public VersionCompleter() {
    super(UseCases::policy);
  }

  @Override
  protected Stream<String> names(PolicyService use) {
    return use.versions().newest(LAST, Long.MAX_VALUE).stream()
        .map(version -> Long.toString(version.number()));
  }
}
