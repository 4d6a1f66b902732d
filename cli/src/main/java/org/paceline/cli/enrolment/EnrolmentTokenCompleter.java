package org.paceline.cli.enrolment;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;

/** Completes the ids of tokens by which hosts may enrol. */
@Service
public final class EnrolmentTokenCompleter extends NameCompleter<EnrolmentTokens> {
  public EnrolmentTokenCompleter() {
    super(UseCases::enrolment);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Stream<String> names(EnrolmentTokens use) {
    return use.all().stream().map(EnrolmentToken::id);
  }
}
