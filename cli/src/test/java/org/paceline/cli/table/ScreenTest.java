package org.paceline.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScreenTest {
  private static final Screen COLOURED = screen("xterm", "80", "", true);

  private static Screen screen(String term, String columns, String noColour, boolean isLast) {
    Map<String, Object> variables = new HashMap<>();
    put(variables, "TERM", term);
    put(variables, "COLUMNS", columns);
    put(variables, "NO_COLOR", noColour);
    return Screen.of(variables::get, isLast);
  }

  private static void put(Map<String, Object> variables, String name, String value) {
    if (!"unset".equals(value)) {
      variables.put(name, value);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // A terminal, and what its user may say of colours.
    "xterm-256color, 80, unset, true, true, true",
    "xterm, 80, '', true, true, true",
    "xterm, 80, 1, true, true, false",
    "dumb, 80, unset, true, false, false",
    "dumb-color, 80, unset, true, false, false",
    // ssh without a pty, whether its user sends TERM or not.
    "unset, unset, unset, true, false, false",
    "xterm, unset, unset, true, false, false",
    "'', 80, unset, true, false, false",
    // A pipe or a file.
    "xterm, 80, unset, false, false, false",
  })
  void onlyATerminalIsColoured(
      String term,
      String columns,
      String noColour,
      boolean isLast,
      boolean isTerminal,
      boolean isColoured) {
    Screen screen = screen(term, columns, noColour, isLast);
    assertThat(screen.isTerminal()).isEqualTo(isTerminal);
    assertThat(screen.show(Tone.BAD, "x").equals("x")).isEqualTo(!isColoured);
  }

  @Test
  void withoutASessionThereIsNoTerminal() {
    assertThat(Screen.of(null).isTerminal()).isFalse();
  }

  @Test
  void aTableIsTheSameTextInColour() {
    Table table = new Table("name", "state", "gain");
    table.toned("state", Tone::ofState).toned("gain", Tone::ofGain);
    table.row("a", "granted", "+0.20");
    table.row("longer", "unserved", "-1.00");
    table.row("c", "what is new", "+0.00");
    table.conclude("Three.", Tone.GOOD);
    String coloured = table.asText(COLOURED);
    assertThat(coloured.replaceAll("\u001b\\[[0-9]*m", "")).isEqualTo(table.asText());
    assertThat(coloured)
        .contains("\u001b[1mname\u001b[0m  ")
        .contains("\u001b[32mgranted\u001b[0m")
        .contains("\u001b[31munserved\u001b[0m")
        .contains("\u001b[32m+0.20\u001b[0m\n")
        .contains("\u001b[31m-1.00\u001b[0m\n")
        .contains("c       what is new  +0.00\n")
        .endsWith("\u001b[32mThree.\u001b[0m");
    assertThat(table.asText()).doesNotContain("\u001b");
    assertThat(table.asJson()).doesNotContain("\u001b");
  }

  @Test
  void whatOthersWroteDoesNotSteerTheTerminal() {
    Table table = new Table("host");
    table.row("evil\u001b[2J\u009b31m\rname");
    assertThat(table.asText()).startsWith("host\nevil?[2J?31m?name\n");
    assertThat(table.asText(COLOURED)).contains("evil?[2J?31m?name");
    assertThat(table.asJson()).isEqualTo("[{\"host\":\"evil\\u001b[2J\\u009b31m\\u000dname\"}]");
  }
}
