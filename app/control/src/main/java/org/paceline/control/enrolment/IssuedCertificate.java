package org.paceline.control.enrolment;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;

/** A certificate that a host was given. */
@AutoValue
public abstract class IssuedCertificate {
  /** In hexadecimal digits, as a refusal names it. */
  public abstract String serial();

  /** The hostId that it names. */
  public abstract String host();

  /** From then on nobody is let in with it. */
  public abstract Instant end();

  /** When it was taken back; empty where it was not. */
  public abstract Optional<Instant> revoked();

  public static IssuedCertificate of(
      String serial, String host, Instant end, Optional<Instant> revoked) {
    return new AutoValue_IssuedCertificate(serial, host, end, revoked);
  }

  /** Whether its host is let in with it. */
  public boolean isInForce(Instant now) {
    return revoked().isEmpty() && now.isBefore(end());
  }

  /** As the log of changes shows it. */
  @Override
  public final String toString() {
    return serial() + " until " + end();
  }
}
