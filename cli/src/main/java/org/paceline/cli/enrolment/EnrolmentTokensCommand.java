package org.paceline.cli.enrolment;

import java.util.List;
import java.util.TreeSet;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;

/** The tokens by which hosts may enrol, without what the hosts are given. */
@Service
@Command(
    scope = "paceline",
    name = "enrolment-tokens",
    description = "The tokens by which hosts may enrol, without what the hosts are given",
    detailedDescription = "classpath:help/enrolment.txt")
public final class EnrolmentTokensCommand extends PacelineCommand<EnrolmentTokens> {
  public EnrolmentTokensCommand() {
    super(UseCases::enrolment);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(EnrolmentTokens use) {
    return table(use.all());
  }

  static Table table(List<EnrolmentToken> tokens) {
    Table table = new Table("id", "host", "addresses", "made by", "until (UTC)");
    tokens.forEach(
        token ->
            table.row(
                token.id(),
                token.host(),
                addresses(token),
                token.author(),
                token.end().toString()));
    table.conclude(tokens.size() + " hosts may enrol.");
    return table;
  }

  static String addresses(EnrolmentToken token) {
    return token.addresses().isEmpty()
        ? Words.NONE
        : String.join(" ", new TreeSet<>(token.addresses()));
  }
}
