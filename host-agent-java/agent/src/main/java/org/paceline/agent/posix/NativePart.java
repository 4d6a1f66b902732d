package org.paceline.agent.posix;

import com.sun.jna.Native;
import java.util.Optional;

/**
 * The library by which this program calls what Java does not know. It lies in the jar, and is
 * written to a directory for temporary files before it is loaded, unless it lies ready elsewhere.
 */
public final class NativePart {
  private NativePart() {}

  /**
   * Why it cannot be used; empty where it can. To be asked first: only then is the reason known.
   */
  public static Optional<String> obstacle() {
    try {
      return Native.POINTER_SIZE > 0 ? Optional.empty() : Optional.of("it knows no addresses");
    } catch (LinkageError e) {
      return Optional.of(String.valueOf(e.getMessage()).trim() + " (in " + place() + ")");
    }
  }

  /** Where JNA writes it. */
  private static String place() {
    return System.getProperty(
        "jna.tmpdir",
        System.getProperty("user.home")
            + "/.cache/JNA/temp, or else "
            + System.getProperty("java.io.tmpdir"));
  }
}
