package org.paceline.agent.pace;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/** The calls for a file that another process has open. */
final class LibC {
  static {
    Native.register(LibC.class, NativeLibrary.getProcess());
  }

  private LibC() {}

  /** For calls that older C libraries have no function for. */
  static native int syscall(long number, long first, long second, long third);

  static native int getsockopt(int socket, int level, int name, Pointer value, Pointer length);

  static native int setsockopt(int socket, int level, int name, Pointer value, int length);

  static native int close(int file);

  static native String strerror(int error);
}
