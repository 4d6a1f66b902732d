package org.paceline.intents.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class DocumentGuardTest {
  private final DocumentGuard guard = new DocumentGuard(DocumentLimits.REQUEST);

  @Test
  void anAliasCountsAsMuchAsItStandsForAndSoDoAliasesOfAliases() {
    guard.beginList();
    list("a0", "");
    for (int level = 1; level <= 9; level++) {
      list("a" + level, "a" + (level - 1));
    }
    // So far some 130,000; the next level has twice as many alone.
    refused(() -> list("a10", "a9"), "holds more than 200000 values, its aliases written out");
  }

  /** Three of what stands before it, or of a word. */
  private void list(String anchor, String of) {
    guard.anchor(anchor);
    guard.beginList();
    for (int i = 0; i < 3; i++) {
      if (of.isEmpty()) {
        guard.text("x");
      } else {
        guard.alias(of);
      }
    }
    guard.end();
  }

  @Test
  void oneLongTextThatIsReferredToOftenIsAsLongAsAllOfThem() {
    guard.beginList();
    guard.anchor("long");
    guard.text("x".repeat(60_000));
    refused(
        () -> {
          for (int i = 0; i < 100; i++) {
            guard.alias("long");
          }
        },
        "holds more than 4194304 characters");
  }

  @Test
  void aliasesNestAsWhatTheyStandForDoes() {
    guard.beginList();
    guard.anchor("a0");
    guard.text("x");
    refused(
        () -> {
          for (int level = 1; level < 100; level++) {
            guard.anchor("a" + level);
            guard.beginList();
            guard.alias("a" + (level - 1));
            guard.end();
          }
        },
        "nested more than 64 levels deep");
  }

  @Test
  void anchorsAreBounded() {
    DocumentGuard guard = new DocumentGuard(DocumentLimits.REQUEST);
    guard.beginList();
    for (int n = 0; n < DocumentLimits.REQUEST.anchors(); n++) {
      guard.anchor("a" + n);
      guard.word();
    }
    refused(() -> guard.anchor("one more"), "/1000 has more than 1000 anchors");
  }

  @Test
  void nothingContainsItself() {
    guard.beginList();
    guard.anchor("a");
    guard.text("another");
    guard.anchor("a");
    guard.beginList();
    refused(() -> guard.alias("a"), "/1/0 holds the alias (a) of what is not there");
    refused(() -> guard.alias("b"), "the alias (b)");
  }

  @Test
  void aLongNumberIsToldByItsLengthAndItsBeginningAndWhereItStands() {
    guard.beginObject();
    guard.text("priority");
    assertThatThrownBy(() -> guard.number("9".repeat(16_000_000), 16_000_000))
        .isInstanceOf(DocumentRefused.class)
        .hasMessageStartingWith("/priority holds a number of 16000000 characters, 9999999999")
        .hasMessageContaining("at most 40 are read. Maybe")
        .extracting(e -> String.valueOf(e.getMessage()).length())
        .satisfies(length -> assertThat(length).isLessThan(300));
    guard.number("1".repeat(40), 40);
  }

  @Test
  void aLongTextIsToldByItsLengthAndItsBeginning() {
    guard.beginList();
    guard.word();
    refused(() -> guard.text("y".repeat(70_000)), "/1 holds a text of 70000 characters, (yyyyy");
    guard.text("y".repeat(65_536));
  }

  @Test
  void aKeyIsGivenOnceInItsObjectAndIsAWord() {
    guard.beginObject();
    guard.text("a");
    guard.beginObject();
    guard.text("a");
    guard.number("1", 1);
    guard.end();
    guard.text("b");
    guard.text("a");
    refused(() -> guard.text("a"), "/a is given twice");
    DocumentGuard other = new DocumentGuard(DocumentLimits.REQUEST);
    other.beginObject();
    refused(other::beginList, "for a key");
    refused(() -> other.alias("x"), "for a key");
  }

  @Test
  void anObjectHasOnlySoManyMembers() {
    guard.beginObject();
    for (int i = 0; i < DocumentLimits.REQUEST.members(); i++) {
      guard.text("k" + i);
      guard.word();
    }
    refused(() -> guard.text("k"), "/k is one more than the 10000 members that an object may have");
  }

  @Test
  void halfACharacterIsRefusedAndAWholeOneIsNot() {
    guard.beginList();
    guard.text("a \ud83d\ude00");
    for (String half : new String[] {"\ud83d", "\ude00x", "x\ud83d", "\ud83d\ud83d\ude00"}) {
      refused(() -> guard.text(half), "half a character");
    }
  }

  @Test
  void bytesThatAreNoTextOrTooManyAreRefused() {
    byte[] broken = {'{', '"', (byte) 0xc3, '"', '}'};
    refused(() -> DocumentText.of(broken, DocumentLimits.REQUEST), "no text in UTF-8");
    refused(() -> DocumentText.of(new byte[5_000], DocumentLimits.LINE), "larger than 4096 bytes");
    byte[] good = "ü".getBytes(StandardCharsets.UTF_8);
    assertThat(DocumentText.of(good, DocumentLimits.REQUEST)).isEqualTo("ü");
  }

  @Test
  void whatIsQuotedWholeLosesItsMiddle() {
    String line = "The intent (" + "x".repeat(10_000) + ") is none. Maybe another.";
    assertThat(Quoted.clipped("Short.\n" + line))
        .startsWith("Short.\nThe intent (xxx")
        .contains("characters are left out")
        .endsWith(") is none. Maybe another.")
        .hasSizeLessThan(400);
  }

  private static void refused(ThrowingCallable act, String why) {
    assertThatThrownBy(act)
        .isInstanceOf(DocumentRefused.class)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
