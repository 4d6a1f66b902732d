package org.paceline.agent.netlink;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/**
 * The calls for a family of sockets that Java does not know. Lengths are small: an int holds them.
 */
final class LibC {
  static {
    Native.register(LibC.class, NativeLibrary.getProcess());
  }

  private LibC() {}

  static native int socket(int family, int type, int protocol);

  static native int setsockopt(int socket, int level, int name, Pointer value, int length);

  static native int send(int socket, Pointer bytes, int length, int flags);

  static native int recv(int socket, Pointer bytes, int length, int flags);

  static native int close(int socket);

  static native int if_nametoindex(String name);

  static native String strerror(int error);
}
