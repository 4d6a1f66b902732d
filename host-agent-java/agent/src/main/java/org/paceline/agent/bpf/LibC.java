package org.paceline.agent.bpf;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;

/** Memory that is shared with the kernel. */
final class LibC {
  static {
    Native.register(LibC.class, NativeLibrary.getProcess());
  }

  private LibC() {}

  static native Pointer mmap(
      Pointer at, NativeLong length, int protection, int flags, int file, NativeLong offset);

  static native int munmap(Pointer at, NativeLong length);

  static native int close(int file);

  static native String strerror(int error);
}
