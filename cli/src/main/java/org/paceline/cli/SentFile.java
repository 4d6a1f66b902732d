package org.paceline.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.paceline.intents.document.DocumentLimits;

/**
 * What is sent to a command, which reads no file of the controller's: what it said of a file that
 * is not as it should be would show whoever may not read it a part.
 */
public final class SentFile {
  private static final int LARGEST = DocumentLimits.REQUEST.bytes();

  private SentFile() {}

  /**
   * @param command as it is typed, with the file behind it
   * @throws IllegalArgumentException if it is nothing, or too much
   */
  public static String read(String command) {
    try {
      byte[] bytes = System.in.readNBytes(LARGEST + 1);
      if (bytes.length == 0 || bytes.length > LARGEST) {
        throw new IllegalArgumentException(
            "The input has "
                + (bytes.length == 0 ? "nothing" : "more than " + LARGEST + " bytes")
                + " where a file should be. Maybe: ssh -p 8101 USER@CONTROLLER "
                + command);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException("The input cannot be read: " + e.getMessage(), e);
    }
  }
}
