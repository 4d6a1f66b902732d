package org.paceline.control.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedCertificates;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Refused;

final class EnrolmentTokensTest {
  private static final Author ANNA = Author.of("anna", Optional.of("CHG1"));
  private static final Duration HOUR = Duration.ofHours(1);

  private final ManualWorker clock = new ManualWorker();
  private final RememberedRecords<EnrolmentToken> records = new RememberedRecords<>();
  private final RememberedRecords<Change> log = new RememberedRecords<>();
  private Optional<EnrolmentAuthority> authority = Optional.of(new RememberedCertificates());
  private final EnrolmentTokens tokens =
      new EnrolmentTokens(
          records,
          new ChangeLog(RememberedRecords.numbered(log), new RememberedRecords<>(), "test", clock),
          () -> authority,
          clock);

  private EnrolmentTokens.Made make(String host, Duration life) {
    return tokens.make(ANNA, "asked", host, Set.of(), life);
  }

  private static byte[] secret(EnrolmentTokens.Made made) {
    return Base64.getDecoder().decode(made.text());
  }

  @Test
  void aTokenLetsOneHostEnrolOnce() {
    EnrolmentTokens.Made made =
        tokens.make(ANNA, "asked", "srv1", Set.of("10.0.0.1", "2001:DB8::1"), HOUR);
    assertThat(tokens.all()).containsExactly(made.token());
    assertThat(tokens.isWorth(secret(made))).isTrue();
    EnrolmentToken redeemed = tokens.redeem(secret(made)).orElseThrow();
    assertThat(redeemed.host()).isEqualTo("srv1");
    assertThat(redeemed.addresses()).containsExactlyInAnyOrder("10.0.0.1", "2001:db8::1");
    assertThat(tokens.redeem(secret(made))).isEmpty();
    assertThat(tokens.isWorth(secret(made))).isFalse();
    assertThat(tokens.all()).isEmpty();
    assertThat(operations())
        .containsExactly(
            "A token for (srv1) to enrol is made.", "The host (srv1) enrols by its token.");
  }

  private List<String> operations() {
    return IntStream.rangeClosed(1, log.size())
        .mapToObj(number -> log.find(Integer.toString(number)).orElseThrow().operation())
        .collect(Collectors.toList());
  }

  @Test
  void nothingThatIsKeptLetsAnybodyEnrol() {
    EnrolmentTokens.Made made = make("srv1", HOUR);
    assertThat(records.keys()).noneMatch(key -> key.contains(made.text()));
    assertThat(made.token().toString()).doesNotContain(made.text());
    assertThat(log.find("1").orElseThrow().toString()).doesNotContain(made.text());
    assertThat(tokens.redeem(made.token().digest().getBytes(StandardCharsets.UTF_8))).isEmpty();
  }

  @Test
  void aTokenIsWorthNothingAfterItsTime() {
    EnrolmentTokens.Made made = make("srv1", HOUR);
    clock.pass(HOUR.minusSeconds(2));
    assertThat(tokens.isWorth(secret(made))).isTrue();
    clock.pass(Duration.ofSeconds(2));
    assertThat(tokens.redeem(secret(made))).isEmpty();
    assertThat(tokens.all()).isEmpty();
    // The store is rid of it with the next one.
    make("srv2", HOUR);
    assertThat(records.size()).isEqualTo(1);
  }

  @Test
  void whatIsWithdrawnIsWorthNothing() {
    EnrolmentTokens.Made made = make("srv1", HOUR);
    EnrolmentTokens.Made other = make("srv2", HOUR);
    assertThatThrownBy(() -> tokens.withdraw(ANNA, "none"))
        .isInstanceOf(Absent.class)
        .hasMessageContaining("(none)")
        .hasMessageContaining("Maybe");
    tokens.withdraw(ANNA, made.token().id());
    assertThatThrownBy(() -> tokens.withdraw(ANNA, made.token().id())).isInstanceOf(Absent.class);
    assertThat(tokens.redeem(secret(made))).isEmpty();
    assertThat(tokens.redeem(secret(other))).isPresent();
  }

  @Test
  void ofManyWhoTryTheSameTokenAtOnceOneIsLetIn() throws Exception {
    byte[] secret = secret(make("srv1", HOUR));
    ExecutorService many = Executors.newFixedThreadPool(8);
    try {
      Callable<Boolean> one = () -> tokens.redeem(secret).isPresent();
      int letIn = 0;
      for (Future<Boolean> each : many.invokeAll(Collections.nCopies(40, one))) {
        letIn += each.get() ? 1 : 0;
      }
      assertThat(letIn).isEqualTo(1);
    } finally {
      many.shutdownNow();
    }
  }

  @Test
  void whatIsNoneIsRefusedByName() {
    assertThatThrownBy(() -> make("a/b", HOUR)).hasMessageContaining("(a/b)");
    assertThatThrownBy(() -> make("announced", HOUR)).hasMessageContaining("Paceline's own");
    assertThatThrownBy(() -> make("srv1", Duration.ZERO)).hasMessageContaining("(0 s)");
    assertThatThrownBy(() -> make("srv1", Duration.ofDays(31))).hasMessageContaining("30 days");
    assertThatThrownBy(() -> tokens.make(ANNA, "", "srv1", Set.of("10.0.0.999"), HOUR))
        .hasMessageContaining("(10.0.0.999)");
    authority = Optional.empty();
    assertThatThrownBy(() -> make("srv1", HOUR))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("ca.key")
        .hasMessageContaining("Maybe");
    assertThat(log.size()).isZero();
  }
}
