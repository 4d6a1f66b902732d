package org.paceline.cli.enrolment;

import java.time.Instant;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.enrolment.IssuedCertificate;

/** The certificates by which hosts' agents are let in. */
@Service
@Command(
    scope = "paceline",
    name = "agent-certificates",
    description = "The certificates that were signed for hosts, and which of them are in force",
    detailedDescription = "classpath:help/enrolment.txt")
public final class AgentCertificatesCommand extends PacelineCommand<HostCertificates> {
  public AgentCertificatesCommand() {
    super(UseCases::certificates);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(HostCertificates use) {
    return table(use.all(), Instant.now());
  }

  static Table table(List<IssuedCertificate> certificates, Instant now) {
    Table table = new Table("host", "serial number", "until (UTC)", "state");
    certificates.forEach(
        one ->
            table.row(
                one.host(),
                one.serial(),
                one.end().toString(),
                one.revoked()
                    .map(at -> "revoked at " + at)
                    .orElse(one.isInForce(now) ? "in force" : "over")));
    table.conclude(
        certificates.stream().filter(one -> one.isInForce(now)).count()
            + " certificates are in force.");
    return table;
  }
}
