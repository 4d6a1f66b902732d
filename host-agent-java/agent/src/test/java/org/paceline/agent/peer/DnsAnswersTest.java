package org.paceline.agent.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Transport;

class DnsAnswersTest {
  private final AtomicLong nanos = new AtomicLong();
  private final DnsAnswers answers = new DnsAnswers(nanos::get);

  private static Packet packet(String from, int fromPort, String to, int toPort, byte[] payload)
      throws Exception {
    return new Packet(
        Transport.UDP,
        InetAddress.getByName(from),
        fromPort,
        InetAddress.getByName(to),
        toPort,
        0,
        ByteBuffer.wrap(payload));
  }

  private Optional<DnsMessage> asked() throws Exception {
    return answers.take(packet("10.0.0.1", 4000, "10.0.0.53", 53, Bytes.question(7)));
  }

  private Optional<DnsMessage> answered(String from, int port, int id) throws Exception {
    return answers.take(packet(from, 53, "10.0.0.1", port, Bytes.answer(id, 60, "192.0.2.1")));
  }

  @Test
  void anAnswerToWhatWasAskedIsBelievedOnce() throws Exception {
    assertThat(asked()).isEmpty();
    assertThat(answered("10.0.0.53", 4000, 7)).isPresent();
    assertThat(answered("10.0.0.53", 4000, 7)).isEmpty();
  }

  @Test
  void whatNobodyAskedForIsNot() throws Exception {
    assertThat(answered("10.0.0.53", 4000, 7)).isEmpty();
    asked();
    assertThat(answered("10.0.0.66", 4000, 7)).isEmpty();
    assertThat(answered("10.0.0.53", 4001, 7)).isEmpty();
    assertThat(answered("10.0.0.53", 4000, 8)).isEmpty();
    assertThat(answered("10.0.0.53", 4000, 7)).isPresent();
  }

  @Test
  void anAnswerThatComesMuchTooLateIsNot() throws Exception {
    asked();
    nanos.set(60_000_000_000L);
    assertThat(answered("10.0.0.53", 4000, 7)).isEmpty();
  }
}
