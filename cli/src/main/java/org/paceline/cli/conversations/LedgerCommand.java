package org.paceline.cli.conversations;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.inventory.LedgerEntry;
import org.paceline.control.model.NodeNames;

/** What is lent of reservations. */
@Service
@Command(
    scope = "paceline",
    name = "ledger",
    description = "Who has what of whose adaptive reservation, and when it came back",
    detailedDescription = "classpath:help/ledger.txt")
public final class LedgerCommand extends PacelineCommand<ConversationService> {
  public LedgerCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected Table table(ConversationService use) {
    return table(use.ledger(), use.nodeNames());
  }

  static Table table(List<LedgerEntry> entries, NodeNames names) {
    Table table = new Table("link", "lender", "borrower", "rate", "since", "returned");
    for (LedgerEntry one : entries) {
      table.row(
          names.of(one.link()),
          one.lender().toString(),
          one.borrower().toString(),
          Words.rate(one.rate()),
          toTheSecond(one.since()),
          one.returnedAt().map(LedgerCommand::toTheSecond).orElse(""));
    }
    long lent = entries.stream().filter(one -> one.returnedAt().isEmpty()).count();
    table.conclude(
        entries.isEmpty()
            ? "Nothing is lent of any reservation: no branch with adaptive-reservations has more to"
                + " give than its conversations use."
            : lent + " loans, " + (entries.size() - lent) + " are back.");
    return table;
  }

  private static String toTheSecond(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
