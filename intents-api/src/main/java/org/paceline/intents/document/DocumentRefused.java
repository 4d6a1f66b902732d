package org.paceline.intents.document;

/** A document holds what no reader should make anything of. */
public final class DocumentRefused extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String place;
  private final String reason;

  DocumentRefused(String place, String reason) {
    super((place.isEmpty() ? "The document" : Quoted.shortened(place)) + " " + reason);
    this.place = place;
    this.reason = reason;
  }

  /** A JSON Pointer (RFC 6901) such as {@code /links/3}; empty for the document. */
  public String place() {
    return place;
  }

  /** What is wrong there, and a way out. */
  public String reason() {
    return reason;
  }
}
