package org.paceline.northbound.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;
import org.paceline.control.port.Records;

final class KeptAnswersTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final RememberedRecords<String> answers = new RememberedRecords<>();
  private final List<String> calls = new ArrayList<>();
  private KeptAnswers kept = new KeptAnswers();

  /** The store, of which each call is counted: keys, find and size, too, which read all or one. */
  @SuppressWarnings("unchecked")
  private final Records<String> counted =
      (Records<String>)
          Proxy.newProxyInstance(
              KeptAnswersTest.class.getClassLoader(),
              new Class<?>[] {Records.class},
              (proxy, method, arguments) -> {
                calls.add(method.getName());
                return method.invoke(answers, arguments);
              });

  private void write(String caller, int number, Instant at) {
    String name = caller + number;
    kept.add(counted, caller, name, at);
    counted.replace(name, "{\"by\":\"" + caller + "\",\"at\":\"" + at + "\"}");
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

  /** The first of a controller reads what is stored; each of these is a later one. */
  @Test
  void aWriteAsksTheStoreForNoMoreWhereManyAreKept() {
    assertThat(callsOfTheNextWriteAfter(10)).containsExactly("replace");
    assertThat(callsOfTheNextWriteAfter(KeptAnswers.MOST_OF_ONE))
        .containsExactly("remove", "replace");
  }

  /** What a write asks of the store where one caller has so many answers, and others as many. */
  private List<String> callsOfTheNextWriteAfter(int many) {
    String caller = "anna-" + many + "-";
    for (int i = 0; i < many; i++) {
      write(caller, i, NOW.plusMillis(i));
      write("other-" + i + "-", 0, NOW.plusMillis(i));
    }
    calls.clear();
    write(caller, many, NOW.plusSeconds(10));
    return List.copyOf(calls);
  }

  /** A viewer may ask what has long answers, and the store is in ONOS's memory. */
  @Test
  void longAnswersOfOneTakeOnlySoMuchRoomAndOthersKeepTheirs() {
    write("anna", 0, NOW);
    answer("anna", 0, 1_000);
    for (int i = 0; i < 100; i++) {
      write("flood", i, NOW.plusMillis(i));
      answer("flood", i, 1_000_000);
    }
    assertThat(answers.keys().stream().filter(name -> name.startsWith("flood")))
        .containsExactlyInAnyOrder(
            "flood92", "flood93", "flood94", "flood95", "flood96", "flood97", "flood98", "flood99");
    assertThat(answers.find("anna0")).isPresent();
    kept = new KeptAnswers();
    write("flood", 100, NOW.plusSeconds(1));
    answer("flood", 100, 2_000_000);
    assertThat(answers.find("flood93")).isEmpty();
    assertThat(answers.find("flood94")).isPresent();
  }

  @Test
  void theNewestAnswerIsKeptHoweverLong() {
    write("anna", 0, NOW);
    write("anna", 1, NOW);
    answer("anna", 1, KeptAnswers.MOST_CHARACTERS_OF_ONE + 1);
    assertThat(answers.keys()).containsExactly("anna1");
  }

  @Test
  void whatMadeRoomWhileItWasWorkedOnIsNotKeptForEver() {
    write("anna", 0, NOW);
    for (int i = 1; i <= KeptAnswers.MOST_OF_ONE; i++) {
      write("anna", i, NOW.plusMillis(i));
    }
    answer("anna", 0, 1_000);
    assertThat(answers.find("anna0")).isEmpty();
    assertThat(answers.size()).isEqualTo(KeptAnswers.MOST_OF_ONE);
  }

  private void answer(String caller, int number, int characters) {
    String name = caller + number;
    String head = answers.find(name).map(text -> text.substring(0, text.length() - 1)).orElse("{");
    String tail = ",\"body\":\"\"}";
    String body = "x".repeat(characters - head.length() - tail.length());
    kept.answer(counted, caller, name, head + tail.replace("\"\"", "\"" + body + "\""));
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
