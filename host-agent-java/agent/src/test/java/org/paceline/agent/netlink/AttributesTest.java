package org.paceline.agent.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class AttributesTest {
  private static final int KIND = 1;
  private static final int NUMBER = 2;
  private static final int WORDS = 3;

  private final ByteBuffer message = ByteBuffer.allocate(256);

  @Test
  void readsEachKindOfContent() {
    Attributes read = written();
    assertThat(read.text(KIND)).contains("htb");
    assertThat(read.u64(NUMBER)).hasValue(1L << 40);
    assertThat(read.u32(WORDS, 4)).isEqualTo(0xffff_ffffL);
  }

  @Test
  void aTextIsJustThatText() {
    Attributes read = written();
    assertThat(read.is(KIND, "htb")).isTrue();
    assertThat(read.is(KIND, "ht")).isFalse();
    assertThat(read.is(KIND, "htb2")).isFalse();
    assertThat(read.is(KIND, "fq2")).isFalse();
    assertThat(read.is(NUMBER + WORDS, "htb")).isFalse();
  }

  @Test
  void whatIsMissingOrTooShortIsNotThere() {
    Attributes read = written();
    assertThat(read.find(9)).isEmpty();
    assertThat(read.u64(KIND)).isEmpty();
    assertThat(read.u32(WORDS, 8)).isEqualTo(0);
    assertThat(read.u32(9, 0)).isEqualTo(0);
  }

  @Test
  void whatIsCutOffIsNotThere() {
    message.putShort((short) 12).putShort((short) NUMBER).putInt(7);
    assertThat(new Attributes(message.flip()).u64(NUMBER)).isEmpty();
  }

  private Attributes written() {
    Batch batch = new Batch(message).text(KIND, "htb").u64(NUMBER, 1L << 40);
    int words = batch.begin(WORDS);
    batch.u32(7).u32(0xffff_ffffL).end(words);
    return new Attributes(message.flip());
  }
}
