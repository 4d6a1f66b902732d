package org.paceline.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DnsMessageTest {
  private static Optional<DnsMessage> parse(byte[] bytes) {
    return DnsMessage.parse(ByteBuffer.wrap(bytes));
  }

  @Test
  void anAnswerIsFollowedFromTheQuestionThroughAliasesToTheAddresses() throws Exception {
    DnsMessage answer = parse(Bytes.answer(7, 300, "192.0.2.1", "2001:db8::1")).orElseThrow();

    assertThat(answer.id()).isEqualTo(7);
    assertThat(answer.answer()).isTrue();
    assertThat(answer.question()).isEqualTo("www.example.com");
    assertThat(answer.aliases()).containsExactly("edge.example.net");
    assertThat(answer.addresses())
        .containsExactly(InetAddress.getByName("192.0.2.1"), InetAddress.getByName("2001:db8::1"));
    assertThat(answer.seconds()).isEqualTo(300);
  }

  @Test
  void aQuestionIsReadInLowerCase() {
    DnsMessage question = parse(Bytes.question(9)).orElseThrow();

    assertThat(question.answer()).isFalse();
    assertThat(question.question()).isEqualTo("www.example.com");
  }

  @Test
  void addressesOfOthersThanWasAskedForAreNotBelieved() throws Exception {
    byte[] bytes =
        new Bytes()
            .header(1, 0x8180, 1)
            .name("a.example.com")
            .u16(1)
            .u16(1)
            .name("bank.example.org")
            .u16(1)
            .u16(1)
            .u16(0)
            .u16(60)
            .u16(4)
            .raw(new byte[] {10, 0, 0, 1})
            .bytes();

    assertThat(parse(bytes).orElseThrow().addresses()).isEmpty();
  }

  @Test
  void aNameThatLeadsToItselfEnds() {
    byte[] pointer = new Bytes().header(1, 0x0100, 0).u16(0xc00c).u16(1).u16(1).bytes();
    byte[] forward = new Bytes().header(1, 0x0100, 0).u16(0xc00e).u16(1).u16(1).bytes();

    assertThat(parse(pointer)).isEmpty();
    assertThat(parse(forward)).isEmpty();
  }

  @Test
  void whatNoHostIsCalledIsNoName() {
    byte[] bytes = new Bytes().header(1, 0x0100, 0).name("a\u001b[31m.com").u16(1).u16(1).bytes();

    assertThat(parse(bytes)).isEmpty();
  }

  @Test
  void errorsAndOtherKindsOfMessagesAreNothing() {
    for (int flags : new int[] {0x8183, 0x2900}) {
      assertThat(parse(new Bytes().header(1, flags, 0).name("a.b").u16(1).u16(1).bytes()))
          .isEmpty();
    }
  }

  @Test
  void tenThousandMangledMessagesAreReadWithoutHarm() throws Exception {
    Random random = new Random(20_261_122);
    byte[] sound = Bytes.answer(7, 300, "192.0.2.1", "2001:db8::1", "192.0.2.2");
    int read = 0;
    for (int i = 0; i < 10_000; i++) {
      Optional<DnsMessage> message = parse(Bytes.mangled(sound, random));
      message.ifPresent(m -> assertThat(HostName.of(m.question())).contains(m.question()));
      read += message.isPresent() ? 1 : 0;
    }
    // Else it would not have been tried.
    assertThat(read).isBetween(1_000, 9_900);
  }
}
