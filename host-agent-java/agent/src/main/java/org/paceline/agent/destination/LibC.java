package org.paceline.agent.destination;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;

/**
 * The calls for sockets of a kind that Java does not know. Lengths are small: an int holds them.
 */
final class LibC {
  static {
    Native.register(LibC.class, NativeLibrary.getProcess());
  }

  private LibC() {}

  static native int socket(int family, int type, int protocol);

  static native int setsockopt(int socket, int level, int name, Pointer value, int length);

  static native int bind(int socket, Pointer address, int length);

  static native int recv(int socket, Pointer bytes, int length, int flags);

  static native int poll(Pointer files, NativeLong count, int millis);

  static native int eventfd(int value, int flags);

  static native int eventfd_write(int file, long value);

  static native int close(int file);

  static native String strerror(int error);
}
