package org.paceline.agent.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;

class ShellWordsTest {
  @Property(tries = 100, seed = "20")
  void aShellGivesBackWhatItWasGiven(
      @ForAll @CharRange(from = ' ', to = '~') @StringLength(max = 30) String word)
      throws IOException {
    assertThat(said(ShellWords.quoted(word))).isEqualTo("<" + word + ">");
  }

  @Example
  void wordsStayWords() throws IOException {
    assertThat(said(ShellWords.eachQuoted(" fq_codel limit 10 $(id) ; reboot ")))
        .isEqualTo("<fq_codel><limit><10><$(id)><;><reboot>");
    assertThat(said(ShellWords.quoted("two\nlines' \"`id`\""))).isEqualTo("<two\nlines' \"`id`\">");
  }

  private static String said(String words) throws IOException {
    Command.Outcome outcome = Command.run("sh", "-c", "printf '<%s>' " + words);
    assertThat(outcome.ok()).isTrue();
    return outcome.output();
  }
}
