package org.paceline.solve;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * Sends what native code prints to standard error until it is closed. HiGHS greets on standard
 * output, which belongs to the solution.
 */
final class NativeOutput implements AutoCloseable {
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;

  /** The C library's. */
  private interface Descriptors extends Library {
    int dup(int descriptor);

    int dup2(int from, int to);

    int close(int descriptor);

    int fflush(Pointer stream);
  }

  private final Descriptors library = Native.load("c", Descriptors.class);
  private final int kept;

  private NativeOutput() {
    library.fflush(Pointer.NULL);
    this.kept = library.dup(OUTPUT);
    library.dup2(ERROR, OUTPUT);
  }

  static NativeOutput toStandardError() {
    return new NativeOutput();
  }

  @Override
  public void close() {
    library.fflush(Pointer.NULL);
    library.dup2(kept, OUTPUT);
    library.close(kept);
  }
}
