package org.paceline.cli.enrolment;

import java.time.Instant;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.enrolment.IssuedCertificate;

/** Completes the hosts whose agents are let in. */
@Service
public final class CertifiedHostCompleter extends NameCompleter<HostCertificates> {
  public CertifiedHostCompleter() {
    super(UseCases::certificates);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Stream<String> names(HostCertificates use) {
    Instant now = Instant.now();
    return use.all().stream()
        .filter(one -> one.isInForce(now))
        .map(IssuedCertificate::host)
        .distinct();
  }
}
