package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import org.paceline.intents.tree.SchemeName;

/** How much of each link one scheme may use at the most, and whether it can use more. */
@AutoValue
public abstract class Share {
  /** All of a link. */
  public static final int WHOLE = 1_000;

  public abstract Scheme scheme();

  public final SchemeName name() {
    return scheme().name();
  }

  /** Of what those before it leave of a link, in thousandths. */
  public abstract int thousandths();

  /**
   * Whether it can use all that there is: then it is asked again with all of those links that
   * nobody after it uses. On others it has no more than it took at first, for by that those after
   * it were told what is left and how long the link's delay is.
   */
  public abstract boolean isForMore();

  /**
   * Whether it is asked again with all that everybody else leaves of every link: for those whom
   * nobody holds to a rate, and whose packets wait in queues of their own, so that they change no
   * delay of others.
   */
  public abstract boolean isForTheRest();

  /**
   * @throws IllegalArgumentException if it is no part of a link
   */
  public static Share of(Scheme scheme, int thousandths) {
    return of(scheme, thousandths, false, false);
  }

  /**
   * Of a scheme that can use all that there is.
   *
   * @throws IllegalArgumentException if it is no part of a link
   */
  public static Share orMore(Scheme scheme, int thousandths) {
    return of(scheme, thousandths, true, false);
  }

  /**
   * Of a scheme that has what all others leave, and so much in any case.
   *
   * @throws IllegalArgumentException if it is no part of a link
   */
  public static Share andTheRest(Scheme scheme, int thousandths) {
    return of(scheme, thousandths, false, true);
  }

  private static Share of(Scheme scheme, int thousandths, boolean isForMore, boolean isForTheRest) {
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
    return new AutoValue_Share(scheme, thousandths, isForMore, isForTheRest);
  }
}
