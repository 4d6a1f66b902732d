package org.paceline.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.control.model.Alarm;

class CertificateExpiryTest {
  private Path directory;
  private Instant now;
  private CertificateExpiry expiry;

  @BeforeEach
  void make(@TempDir Path made) throws Exception {
    directory = made;
    now = Instant.now();
    Process script =
        new ProcessBuilder("../../tools/certificates", directory.toString(), "--days", "100")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(script.waitFor()).isZero();
    expiry =
        CertificateExpiry.of(directory, Files.readAllBytes(directory.resolve("controller.pem")));
  }

  private static LocalDate dayAfter100(Instant made) {
    return made.plus(Duration.ofDays(100)).atZone(ZoneOffset.UTC).toLocalDate();
  }

  @Test
  void thereIsAnAlarmFromThirtyDaysBeforeTheEndOn() {
    // Midnight may have passed since.
    assertThat(expiry.day()).isBetween(dayAfter100(now), dayAfter100(Instant.now()));
    assertThat(expiry.alarms(now.plus(Duration.ofDays(69)))).isEmpty();
    Instant soon = now.plus(Duration.ofDays(71));
    assertThat(expiry.alarms(soon))
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.about()).isEqualTo("setting tlsDirectory");
              assertThat(alarm.sentence()).contains("ends on " + expiry.day(), "Maybe renew it");
              assertThat(alarm.since()).isBefore(soon);
            });
  }

  @Test
  void itIsTheSameAlarmUntilTheEndAndAnotherSentenceAfterIt() {
    Alarm first = expiry.alarms(now.plus(Duration.ofDays(80))).get(0);
    assertThat(expiry.alarms(now.plus(Duration.ofDays(99)))).containsExactly(first);
    assertThat(expiry.alarms(now.plus(Duration.ofDays(101))).get(0).sentence())
        .contains("ended on " + expiry.day());
  }

  @Test
  void whatIsNoCertificateIsRefusedByName() {
    assertThatThrownBy(
            () -> CertificateExpiry.of(directory, "none".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("controller.pem");
  }
}
