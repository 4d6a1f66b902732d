package org.paceline.gateway.tls;

/** What was wrong in the first place: libraries wrap it in what they were doing meanwhile. */
public final class RootCause {
  private RootCause() {}

  public static Throwable of(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
