package org.paceline.cli.enrolment;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.HostCertificates;

/** The host's agent is let in by none of its certificates any more. */
@Service
@Command(
    scope = "paceline",
    name = "agent-certificate-revoke",
    description = "Revokes all certificates of a host: its agent is cut off at once",
    detailedDescription = "classpath:help/enrolment.txt")
public final class AgentCertificateRevokeCommand extends ChangingCommand<HostCertificates> {
  @Argument(
      name = "host",
      required = true,
      description = "Its hostId, as paceline:agent-certificates lists it")
  @Completion(CertifiedHostCompleter.class)
  String host = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public AgentCertificateRevokeCommand() {
    super(UseCases::certificates);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(HostCertificates use) {
    use.revoke(author(), "paceline:agent-certificate-revoke " + host, host);
    return new AgentCertificatesCommand().table(use);
  }
}
