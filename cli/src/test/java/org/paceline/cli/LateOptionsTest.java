package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.impl.action.command.DefaultActionPreparator;
import org.junit.jupiter.api.Test;
import org.paceline.cli.conversations.ProofCommand;
import org.paceline.cli.operations.HistoryCommand;
import org.paceline.cli.policy.WhatIfCommand;
import org.paceline.cli.reservations.BoostCommand;
import org.paceline.cli.reservations.ReserveCommand;
import org.paceline.cli.webhooks.WebhookAddCommand;

/** Lines as Karaf's own preparation reads them, with options wherever a person puts them. */
final class LateOptionsTest {
  @Test
  void anOptionIsUnderstoodBeforeAndAfterAnArgument() throws Exception {
    for (String line : List.of("--draft d voip", "voip --draft d", "voip --draft=d")) {
      WhatIfCommand whatIf = read(new WhatIfCommand(), line);
      assertThat(whatIf).as(line).extracting("intent", "draft").containsExactly("voip", "d");
    }
  }

  @Test
  void optionsBetweenArgumentsLeaveThoseInOrder() throws Exception {
    ReserveCommand reserve =
        read(
            new ReserveCommand(),
            "--hold voip --ticket CHG1 10.0.0.1 10.0.0.2 --json 1mbit --deadline later 60");
    assertThat(reserve)
        .extracting("intent", "from", "to", "rate", "minutes")
        .containsExactly("voip", "10.0.0.1", "10.0.0.2", "1mbit", "60");
    assertThat(reserve)
        .extracting("ticket", "deadline", "hold", "json", "dryRun")
        .containsExactly("CHG1", "later", true, true, false);
  }

  @Test
  void anOptionMayComeAgainAfterTheArgument() throws Exception {
    WebhookAddCommand add =
        read(new WebhookAddCommand(), "--event policy http://x --event alarm --ticket CHG1");
    assertThat(add)
        .extracting("events", "url", "ticket")
        .containsExactly(List.of("policy", "alarm"), "http://x", "CHG1");
  }

  @Test
  void aNegativeNumberIsNoOption() throws Exception {
    assertThat(read(new BoostCommand(), "h1/a 1mbit -5")).extracting("minutes").isEqualTo("-5");
    assertThat(read(new HistoryCommand(), "3 --limit -5"))
        .extracting("number", "limit")
        .containsExactly(3L, -5);
  }

  @Test
  void whatIsUnknownMissingOrTooMuchIsNamed() {
    refused(new ProofCommand(), "h1/a --jsn", "There is no option (--jsn). Maybe one of [--json");
    refused(new WhatIfCommand(), "voip --draft", "The option (--draft) lacks its value.");
    refused(new HistoryCommand(), "3 --limit many", "--limit (many) cannot be read");
    refused(new ProofCommand(), "h1/a h1/b", "The argument (h1/b) is one too many.");
    refused(new BoostCommand(), "h1/a --ticket CHG1 1mbit", "The argument (minutes) is missing.");
    refused(new BoostCommand(), "h1/a 1mbit --ticket CHG1", "The argument (minutes) is missing.");
  }

  private static void refused(Action command, String line, String why) {
    assertThatThrownBy(() -> read(command, line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static <T extends Action> T read(T command, String line) throws Exception {
    new DefaultActionPreparator().prepare(command, null, List.of((Object[]) line.split(" ")));
    LateOptions.sort(command);
    return command;
  }
}
