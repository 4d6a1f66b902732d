package org.paceline.cli.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;

final class HistoryTablesTest {
  @Test
  void theHistoryNamesWhoChangedWhatForWhichTicket() {
    Change change =
        Change.of(
            7,
            Instant.EPOCH,
            Author.of("anna", Optional.of("CHG1")),
            "The intents are replaced.",
            "the body",
            "before",
            "after");
    assertThat(HistoryCommand.table(List.of(change)).asText())
        .contains("7       1970-01-01T00:00:00Z  anna  CHG1    The intents are replaced.")
        .endsWith("1 changes; \"paceline:history NUMBER\" shows one in full.");
    assertThat(HistoryCommand.table(change).asJson()).contains("the body", "before", "after");
    assertThat(HistoryCommand.table(List.of()).asText()).endsWith("Nothing was changed.");
  }
}
