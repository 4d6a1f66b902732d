package org.paceline.control.enrolment;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Subject;

/** The certificates by which hosts' agents are let in: which are out, and how they are revoked. */
public final class HostCertificates {
  private final EnrolmentTokens tokens;
  private final ChangeLog changes;
  private final Supplier<Optional<EnrolmentAuthority>> authority;

  /**
   * @param tokens by which a host would come to another one
   * @param authority whoever signs at the moment, if anybody does
   */
  public HostCertificates(
      EnrolmentTokens tokens, ChangeLog changes, Supplier<Optional<EnrolmentAuthority>> authority) {
    this.tokens = tokens;
    this.changes = changes;
    this.authority = authority;
  }

  /**
   * All that are noted, by host, the first to end first; none where agents need none.
   *
   * @throws Refused if the list cannot be read
   */
  public List<IssuedCertificate> all() {
    return authority.get().map(EnrolmentAuthority::issued).orElseGet(List::of).stream()
        .sorted(
            Comparator.comparing(IssuedCertificate::host)
                .thenComparing(IssuedCertificate::end)
                .thenComparing(IssuedCertificate::serial))
        .collect(Collectors.toUnmodifiableList());
  }

  /**
   * Ends what a host is let in by: its certificates are revoked, its stream is ended, and no token
   * is left by which it would enrol again. It comes back by a new token only.
   *
   * @param body what was sent to ask for it
   * @throws Absent if it has none that stands
   * @throws Refused if nobody signs here, or it cannot be written down
   */
  public synchronized void revoke(Author author, String body, String host) {
    List<IssuedCertificate> standing =
        all().stream()
            .filter(one -> one.host().equals(host) && one.revoked().isEmpty())
            .collect(Collectors.toUnmodifiableList());
    if (standing.isEmpty()) {
      throw new Absent(
          "The host ("
              + host
              + ") has no certificate that could be revoked. Maybe the list of certificates names"
              + " the host that you mean.");
    }
    EnrolmentAuthority signing =
        authority
            .get()
            .filter(EnrolmentAuthority::signs)
            .orElseThrow(
                () ->
                    new Refused(
                        "This controller revokes no certificates: the tlsDirectory has no ca.key."
                            + " Maybe revoke it where the key is, and lay the list (crl.pem) into"
                            + " the tlsDirectory."));
    tokens.withdrawAll(author, host);
    changes.carryOut(
        author,
        Subject.of(Subject.Kind.CERTIFICATE, host),
        "The certificates of the host (" + host + ") are revoked.",
        body,
        standing.stream().map(IssuedCertificate::toString).collect(Collectors.joining("\n")),
        "",
        at -> {
          signing.revoke(host);
          return host;
        });
  }
}
