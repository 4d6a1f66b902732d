package org.paceline.control.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedCertificates;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Refused;

final class HostCertificatesTest {
  private static final Author ANNA = Author.of("anna", Optional.of("CHG0030001"));
  private static final Instant SOON = Instant.EPOCH.plus(Duration.ofDays(1));
  private static final Instant LATER = Instant.EPOCH.plus(Duration.ofDays(90));

  private final ManualWorker clock = new ManualWorker();
  private final RememberedRecords<Change> log = new RememberedRecords<>();
  private final ChangeLog changes =
      new ChangeLog(RememberedRecords.numbered(log), new RememberedRecords<>(), "n1", clock);
  private final RememberedCertificates authority = new RememberedCertificates();
  private final EnrolmentTokens tokens =
      new EnrolmentTokens(new RememberedRecords<>(), changes, () -> Optional.of(authority), clock);
  private final HostCertificates certificates =
      new HostCertificates(tokens, changes, () -> Optional.of(authority));

  @Test
  void allThatAHostHasHadIsRevokedAndItsTokensAreWithdrawnInTheLogOfChanges() {
    authority.issue("a1", "srv1", SOON);
    authority.issue("a2", "srv1", LATER);
    authority.issue("b1", "srv2", LATER);
    tokens.make(ANNA, "", "srv1", Set.of(), Duration.ofHours(1));
    tokens.make(ANNA, "", "srv2", Set.of(), Duration.ofHours(1));
    certificates.revoke(ANNA, "the body", "srv1");
    assertThat(certificates.all())
        .filteredOn(one -> one.isInForce(Instant.EPOCH))
        .extracting(IssuedCertificate::serial)
        .containsExactly("b1");
    assertThat(tokens.all()).extracting(EnrolmentToken::host).containsExactly("srv2");
    Change change = changes.newest(1, Long.MAX_VALUE, one -> true).get(0);
    assertThat(change.operation()).isEqualTo("The certificates of the host (srv1) are revoked.");
    assertThat(change.author()).isEqualTo(ANNA);
    assertThat(change.body()).isEqualTo("the body");
    assertThat(change.before()).contains("a1 until", "a2 until").doesNotContain("b1");
  }

  @Test
  void whoHasNoneChangesNothing() {
    authority.issue("a1", "srv1", LATER);
    assertThatThrownBy(() -> certificates.revoke(ANNA, "", "srv9"))
        .isInstanceOf(Absent.class)
        .hasMessageContaining("(srv9)")
        .hasMessageContaining("Maybe");
    certificates.revoke(ANNA, "", "srv1");
    assertThatThrownBy(() -> certificates.revoke(ANNA, "", "srv1"))
        .as("a second time")
        .isInstanceOf(Absent.class);
    assertThat(changes.newest(9, Long.MAX_VALUE, one -> true)).hasSize(1);
  }

  @Test
  void withoutTheAuthoritysKeyNothingIsRevokedAndNoTokenWithdrawn() {
    authority.issue("a1", "srv1", LATER);
    tokens.make(ANNA, "", "srv1", Set.of(), Duration.ofHours(1));
    authority.loseKey();
    assertThatThrownBy(() -> certificates.revoke(ANNA, "", "srv1"))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("ca.key")
        .hasMessageContaining("Maybe");
    assertThat(tokens.all()).hasSize(1);
  }

  @Test
  void whereAgentsNeedNoneThereAreNone() {
    HostCertificates nobodys = new HostCertificates(tokens, changes, Optional::empty);
    assertThat(nobodys.all()).isEmpty();
    assertThatThrownBy(() -> nobodys.revoke(ANNA, "", "srv1")).isInstanceOf(Absent.class);
  }
}
