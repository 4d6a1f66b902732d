package org.paceline.agent.posix;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;

/**
 * Calls of the C library for what Java does not know: kinds of sockets, memory that is shared with
 * the kernel, and files that another process has open. Lengths are small: an int holds them.
 */
public final class LibC {
  static {
    Native.register(LibC.class, NativeLibrary.getProcess());
  }

  private LibC() {}

  public static native int socket(int family, int type, int protocol);

  public static native int getsockopt(
      int socket, int level, int name, Pointer value, Pointer length);

  public static native int setsockopt(int socket, int level, int name, Pointer value, int length);

  public static native int bind(int socket, Pointer address, int length);

  public static native int send(int socket, Pointer bytes, int length, int flags);

  public static native int recv(int socket, Pointer bytes, int length, int flags);

  public static native int poll(Pointer files, NativeLong count, int millis);

  public static native int eventfd(int value, int flags);

  public static native int eventfd_write(int file, long value);

  public static native int close(int file);

  public static native Pointer mmap(
      Pointer at, NativeLong length, int protection, int flags, int file, NativeLong offset);

  public static native int munmap(Pointer at, NativeLong length);

  public static native int if_nametoindex(String name);

  public static native String strerror(int error);

  /** For calls that older C libraries have no function for. */
  public static native int syscall(long number, long first, long second, long third);
}
