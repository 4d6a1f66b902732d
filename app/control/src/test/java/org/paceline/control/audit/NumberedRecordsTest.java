package org.paceline.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;

final class NumberedRecordsTest {
  private final RememberedRecords<String> store = new RememberedRecords<>();
  private final RememberedRecords<String> exported = new RememberedRecords<>();
  private final NumberedRecords<String> records = opened();

  @Test
  void whereNothingWasAddedTheNewestIsZero() {
    assertThat(records.newest()).isZero();
    assertThat(records.newestFirst(Long.MAX_VALUE)).isEmpty();
    assertThat(records.exportedTo(1)).isEmpty();
  }

  @Test
  void theNewestIsTheOneThatWasAddedLastByWhicheverNode() {
    NumberedRecords<String> another = opened();
    assertThat(records.add(1, "a")).isTrue();
    assertThat(another.add(1, "b")).isFalse();
    assertThat(another.add(2, "b")).isTrue();
    assertThat(records.newest()).isEqualTo(2);
    assertThat(records.newestFirst(Long.MAX_VALUE)).containsExactly("b", "a");
    assertThat(records.newestFirst(2)).containsExactly("a");
  }

  @Test
  void whereTheOldestAreGoneTheNumbersGoOnAfterTheNewest() {
    addUpTo(250);
    remove(1, 200);
    NumberedRecords<String> restarted = opened();
    assertThat(restarted.newest()).isEqualTo(250);
    assertThat(restarted.add(250, "taken")).isFalse();
    assertThat(restarted.add(251, "251")).isTrue();
    assertThat(records.newest()).isEqualTo(251);
    assertThat(records.newestFirst(204)).containsExactly("203", "202", "201");
    assertThat(records.find(200)).isEmpty();
    assertThat(records.exportedTo(200)).contains("It is in file 101.");
    assertThat(records.exportedTo(201)).isEmpty();
    assertThat(records.exportedTo(252)).isEmpty();
  }

  @Test
  void whoWasHeldUpWhileOthersAddedAndRemovedHundredsFindsTheNewest() {
    addUpTo(5);
    NumberedRecords<String> heldUp = opened();
    addUpTo(450);
    // The one that it saw last is kept, as one that a draft was made from.
    remove(1, 4);
    remove(6, 300);
    assertThat(heldUp.newest()).isEqualTo(450);
  }

  @Test
  void whoWasHeldUpAsItAddedTakesNoNumberThatWasExportedMeanwhile() {
    addUpTo(5);
    NumberedRecords<String> heldUp = opened();
    long next = heldUp.newest() + 1;
    addUpTo(450);
    remove(1, 300);
    assertThat(heldUp.add(next, "late")).isFalse();
    assertThat(store.contains("6")).isFalse();
    assertThat(heldUp.newest()).isEqualTo(450);
  }

  @Test
  void whatANewerPacelineWroteHasItsNumberAndIsLeftOut() {
    addUpTo(3);
    store.makeUnreadable("2");
    store.makeUnreadable("3");
    assertThat(records.newest()).isEqualTo(3);
    assertThat(opened().newest()).isEqualTo(3);
    assertThat(records.add(3, "mine")).isFalse();
    assertThat(records.newestFirst(Long.MAX_VALUE)).containsExactly("1");
  }

  @Test
  void whatIsLeftBelowThoseThatAreGoneIsListedToo() {
    addUpTo(350);
    remove(1, 6);
    remove(8, 122);
    remove(124, 300);
    assertThat(records.newestFirst(302)).containsExactly("301", "123", "7");
    assertThat(records.newestFirst(100)).containsExactly("7");
    assertThat(records.newestFirst(7)).isEmpty();
  }

  private NumberedRecords<String> opened() {
    return new NumberedRecords<>("kind", store, exported);
  }

  private void addUpTo(long last) {
    LongStream.rangeClosed(records.newest() + 1, last)
        .forEach(number -> assertThat(records.add(number, Long.toString(number))).isTrue());
  }

  private void remove(long from, long to) {
    LongStream.rangeClosed(from, to)
        .forEach(
            number -> {
              long block = NumberedRecords.firstOfBlock(number);
              exported.add("kind/" + block, "It is in file " + block + ".");
              store.remove(Long.toString(number));
            });
  }
}
