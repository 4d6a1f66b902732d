package org.paceline.northbound.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;

final class KeptAnswersTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final RememberedRecords<String> answers = new RememberedRecords<>();
  private KeptAnswers kept = new KeptAnswers();

  private void write(String caller, int number, Instant at) {
    String name = caller + number;
    kept.add(answers, caller, name, at);
    answers.replace(name, "{\"by\":\"" + caller + "\",\"at\":\"" + at + "\"}");
  }

  @Test
  void nobodysManyWritesTakeAnothersAnswersAway() {
    write("anna", 0, NOW);
    for (int i = 0; i < 12_000; i++) {
      write("flood", i, NOW.plusMillis(i));
    }
    assertThat(answers.find("anna0")).isPresent();
    assertThat(answers.size()).isEqualTo(KeptAnswers.MOST_OF_ONE + 1);
    assertThat(answers.find("flood11999")).isPresent();
    assertThat(answers.find("flood11000")).isPresent();
    assertThat(answers.find("flood10999")).isEmpty();
  }

  @Test
  void whatIsOlderThanADayGoesWithTheNextWrite() {
    write("anna", 0, NOW);
    write("anna", 1, NOW.plus(Duration.ofHours(23)));
    write("anna", 2, NOW.plus(Duration.ofHours(25)));
    assertThat(answers.keys()).containsExactlyInAnyOrder("anna1", "anna2");
  }

  @Test
  void theOrderOutlivesARestart() {
    for (int i = 0; i < KeptAnswers.MOST_OF_ONE; i++) {
      write("anna", i, NOW.plusMillis(i));
    }
    kept = new KeptAnswers();
    write("anna", 5_000, NOW.plusSeconds(10));
    assertThat(answers.find("anna0")).isEmpty();
    assertThat(answers.find("anna1")).isPresent();
    assertThat(answers.size()).isEqualTo(KeptAnswers.MOST_OF_ONE);
  }

  @Test
  void whatIsSentAgainIsTheNewest() {
    for (int i = 0; i < KeptAnswers.MOST_OF_ONE; i++) {
      write("anna", i, NOW.plusMillis(i));
    }
    write("anna", 0, NOW.plusSeconds(10));
    write("anna", 5_000, NOW.plusSeconds(11));
    assertThat(answers.find("anna0")).isPresent();
    assertThat(answers.find("anna1")).isEmpty();
  }
}
