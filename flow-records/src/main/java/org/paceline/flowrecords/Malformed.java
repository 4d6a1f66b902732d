package org.paceline.flowrecords;

/** A datagram that contradicts itself or ends too early; no bug, so it needs no stack trace. */
final class Malformed extends Exception {
  private static final long serialVersionUID = 1;

  Malformed() {
    super(null, null, false, false);
  }
}
