package org.paceline.control.enrolment;

/** Who signs certificates for hosts that enrol. */
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
}
