package org.paceline.agent.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GlobTest {

  @Property(seed = "20")
  void itMatchesWhatTheSameRegularExpressionMatches(
      @ForAll("patterns") String pattern, @ForAll("candidates") String candidate) {
    StringBuilder regex = new StringBuilder();
    for (char c : pattern.toCharArray()) {
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }

    assertThat(Glob.parse(pattern).matches(candidate))
        .isEqualTo(candidate.matches(regex.toString()));
  }

  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings().withChars("ab/*?").ofMinLength(1).ofMaxLength(8);
  }

  @Provide
  Arbitrary<String> candidates() {
    return Arbitraries.strings().withChars("ab/").ofMaxLength(10);
  }
}
