package org.paceline.control.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.port.Journal;

/** What somebody outside causes is written down a little, and counted. */
final class BoundedJournalTest {
  private final ManualWorker worker = new ManualWorker();
  private final List<String> lines = new ArrayList<>();
  private final BoundedJournal journal = new BoundedJournal(new Lines(), worker);

  @Test
  void ofManySentencesTheFirstStandAndTheOthersAreCounted() {
    for (int i = 1; i <= 5_000; i++) {
      journal.warn("h1", "Number " + i + ".");
    }
    assertThat(lines).hasSize(BoundedJournal.WHOLE).first().isEqualTo("Number 1.");
    worker.pass(BoundedJournal.PERIOD);
    assertThat(lines)
        .hasSize(BoundedJournal.WHOLE + 1)
        .last()
        .asString()
        .contains("(h1)", "60 s", "4980 sentences are left out", "The last: Number 5000.");
  }

  @Test
  void whatIsSaidOfOthersIsNotHiddenByIt() {
    for (int i = 0; i < 5_000; i++) {
      journal.note("h1", "Many.");
    }
    journal.warn("h2", "One.");
    assertThat(lines).last().isEqualTo("One.");
  }

  @Test
  void theNextMinuteBeginsAnewAndAFewSentencesAreNotSummedUp() {
    for (int minute = 1; minute <= 3; minute++) {
      for (int i = 0; i < BoundedJournal.WHOLE; i++) {
        journal.warn("h1", "Few.");
      }
      assertThat(lines).hasSize(minute * BoundedJournal.WHOLE).containsOnly("Few.");
      worker.pass(BoundedJournal.PERIOD);
    }
  }

  /** Whoever may call itself what it likes would have a few lines of each of its names. */
  @Test
  void moreNamesThanAnyNetworkHasShareOne() {
    for (int i = 0; i < 100_000; i++) {
      journal.warn("h" + i, "Once.");
    }
    assertThat(lines).hasSize(1_000 + BoundedJournal.WHOLE);
    worker.pass(Duration.ofMinutes(2));
    assertThat(lines).last().asString().contains("(others)", "98980 sentences");
  }

  private final class Lines implements Journal {
    @Override
    public void note(String sentence) {
      lines.add(sentence);
    }

    @Override
    public void warn(String sentence) {
      lines.add(sentence);
    }

    @Override
    public void fault(String sentence, Throwable bug) {
      throw new AssertionError(sentence, bug);
    }

    @Override
    public void planned(long version, String summary, String difference) {}
  }
}
