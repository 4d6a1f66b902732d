package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import org.paceline.intents.tree.SchemeName;

/** How much of each link one scheme may use at the most. */
@AutoValue
public abstract class Share {
  /** All of a link. */
  public static final int WHOLE = 1_000;

  public abstract Scheme scheme();

  public final SchemeName name() {
    return scheme().name();
  }

  /** Of what a plan divides of a link, in thousandths. */
  public abstract int thousandths();

  /**
   * @throws IllegalArgumentException if it is no part of a link
   */
  public static Share of(Scheme scheme, int thousandths) {
    if (thousandths < 1 || thousandths > WHOLE) {
      throw new IllegalArgumentException(
          "The share ("
              + thousandths
              + " thousandths) of the scheme "
              + scheme.name().word()
              + " must lie from 1 to "
              + WHOLE
              + ".");
    }
    return new AutoValue_Share(scheme, thousandths);
  }
}
