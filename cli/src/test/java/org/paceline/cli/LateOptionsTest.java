package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.impl.action.command.DefaultActionPreparator;
import org.junit.jupiter.api.Test;

/** Lines as Karaf's own preparation reads them, with options wherever a person puts them. */
final class LateOptionsTest {
  @Test
  void anOptionIsUnderstoodBeforeAndAfterAnArgument() throws Exception {
    for (String line : List.of("--draft d voip", "voip --draft d", "voip --draft=d")) {
      WhatIfCommand whatIf = read(new WhatIfCommand(), line);
      assertThat(whatIf.intent).as(line).isEqualTo("voip");
      assertThat(whatIf.draft).as(line).isEqualTo("d");
    }
  }

  @Test
  void optionsBetweenArgumentsLeaveThoseInOrder() throws Exception {
    ReserveCommand reserve =
        read(
            new ReserveCommand(),
            "--hold voip --ticket CHG1 10.0.0.1 10.0.0.2 --json 1mbit --deadline later 60");
    assertThat(List.of(reserve.intent, reserve.from, reserve.to, reserve.rate, reserve.minutes))
        .containsExactly("voip", "10.0.0.1", "10.0.0.2", "1mbit", "60");
    assertThat(reserve.ticket).isEqualTo("CHG1");
    assertThat(reserve.deadline).isEqualTo("later");
    assertThat(reserve.hold && reserve.json).isTrue();
    assertThat(reserve.dryRun).isFalse();
  }

  @Test
  void anOptionMayComeAgainAfterTheArgument() throws Exception {
    WebhookAddCommand add =
        read(new WebhookAddCommand(), "--event policy http://x --event alarm --ticket CHG1");
    assertThat(add.events).containsExactly("policy", "alarm");
    assertThat(add.url).isEqualTo("http://x");
    assertThat(add.ticket).isEqualTo("CHG1");
  }

  @Test
  void aNegativeNumberIsNoOption() throws Exception {
    assertThat(read(new BoostCommand(), "h1/a 1mbit -5").minutes).isEqualTo("-5");
    HistoryCommand history = read(new HistoryCommand(), "3 --limit -5");
    assertThat(history.number).isEqualTo(3);
    assertThat(history.limit).isEqualTo(-5);
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
