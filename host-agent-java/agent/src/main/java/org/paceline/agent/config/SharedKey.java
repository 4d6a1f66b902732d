package org.paceline.agent.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What all hosts of a small network know, and nobody else. It is never shown. */
public final class SharedKey {
  private static final int FEWEST_BYTES = 32;
  private static final int MOST_BYTES = 1_024;

  private final byte[] bytes;

  private SharedKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * @throws IllegalArgumentException where it could be guessed
   */
  public static SharedKey of(byte[] bytes) {
    if (bytes.length < FEWEST_BYTES || bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "The key has "
              + bytes.length
              + " bytes, and must have "
              + FEWEST_BYTES
              + " to "
              + MOST_BYTES
              + ". Maybe make it with \"openssl rand -hex 32\".");
    }
    return new SharedKey(bytes.clone());
  }

  /** The file's content; white space around it is none of it, for editors and echo add some. */
  static SharedKey read(Path file) {
    try {
      byte[] all = Files.readAllBytes(file);
      int from = 0;
      int to = all.length;
      while (from < to && isBlank(all[from])) {
        from++;
      }
      while (to > from && isBlank(all[to - 1])) {
        to--;
      }
      return of(Arrays.copyOfRange(all, from, to));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The key (" + file + ") cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isBlank(byte one) {
    return one == ' ' || one == '\t' || one == '\r' || one == '\n';
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "a key of " + bytes.length + " bytes";
  }
}
