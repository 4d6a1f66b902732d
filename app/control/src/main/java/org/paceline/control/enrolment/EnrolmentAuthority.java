package org.paceline.control.enrolment;

import java.util.List;
import org.paceline.control.audit.Refused;

/** Who signs certificates for hosts that enrol, and takes them back. */
public interface EnrolmentAuthority {
  /** Whether it has a key to sign with. */
  boolean signs();

  /**
   * What a host's agent is given to enrol: the secret, and by what it knows the authority when it
   * meets it for the first time.
   *
   * @throws IllegalStateException if it does not sign
   */
  String token(byte[] secret);

  /**
   * What it has noted of the certificates that hosts were given, whoever signed them.
   *
   * @throws Refused if the list cannot be read
   */
  List<IssuedCertificate> issued();

  /**
   * Takes back all that a host was given: when it returns, nobody is let in with that any more.
   *
   * @throws Refused if that cannot be signed, or not be written down
   */
  void revoke(String host);
}
