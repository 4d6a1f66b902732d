package org.paceline.json.document;

import com.google.auto.value.AutoValue;

/** One thing that is wrong with a JSON document, and where. */
@AutoValue
public abstract class Fault {
  /** A JSON Pointer (RFC 6901) such as {@code /links/3/capacityKbps}; empty for the document. */
  public abstract String place();

  public abstract String message();

  public static Fault of(String place, String message) {
    return new AutoValue_Fault(place, message);
  }

  @Override
  public final String toString() {
    return (place().isEmpty() ? "the document" : place()) + ": " + message();
  }
}
