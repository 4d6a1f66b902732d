package org.paceline.control;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.paceline.control.enrolment.EnrolmentAuthority;
import org.paceline.control.enrolment.IssuedCertificate;

/** Tokens are made as if somebody signed, and are their secrets; certificates are only noted. */
public final class RememberedCertificates implements EnrolmentAuthority {
  private final List<IssuedCertificate> issued = new ArrayList<>();
  private boolean hasKey = true;

  public void issue(String serial, String host, Instant end) {
    issued.add(IssuedCertificate.of(serial, host, end, Optional.empty()));
  }

  /** The authority's key is taken away. */
  public void loseKey() {
    hasKey = false;
  }

  @Override
  public boolean signs() {
    return hasKey;
  }

  @Override
  public String token(byte[] secret) {
    return Base64.getEncoder().encodeToString(secret);
  }

  @Override
  public List<IssuedCertificate> issued() {
    return List.copyOf(issued);
  }

  @Override
  public void revoke(String host) {
    issued.replaceAll(
        one ->
            one.host().equals(host) && one.revoked().isEmpty()
                ? IssuedCertificate.of(one.serial(), host, one.end(), Optional.of(Instant.EPOCH))
                : one);
  }
}
