package org.paceline.agent.bpf;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.util.Optional;
import org.paceline.agent.posix.LibC;

/** What libbpf does with maps that are there already; iproute2 brings it along. */
final class LibBpf {
  static {
    Native.register(LibBpf.class, NativeLibrary.getInstance("libbpf.so.1"));
  }

  private LibBpf() {}

  /** Gets each record of a ring; other than 0 ends the reading. */
  interface Sample extends Callback {
    int take(Pointer context, Pointer data, NativeLong size);
  }

  static native int bpf_obj_get(String path);

  static native int bpf_map_update_elem(int map, Pointer key, Pointer value, long flags);

  static native int bpf_map_lookup_elem(int map, Pointer key, Pointer value);

  static native int bpf_map_delete_elem(int map, Pointer key);

  static native int bpf_map_get_next_key(int map, Pointer key, Pointer next);

  static native Pointer ring_buffer__new(int map, Sample sample, Pointer context, Pointer options);

  static native int ring_buffer__poll(Pointer ring, int millis);

  static native void ring_buffer__free(Pointer ring);

  /** Why this program cannot use it; empty where it can. */
  static Optional<String> obstacle() {
    try {
      LibBpf.ring_buffer__free(Pointer.NULL);
      return Optional.empty();
    } catch (LinkageError e) {
      return Optional.of("libbpf.so.1 cannot be used: " + e.getMessage());
    }
  }

  /** A map that is pinned at this path, as an open file. */
  static int open(String path) throws IOException {
    int map = bpf_obj_get(path);
    if (map < 0) {
      throw failed(path, map);
    }
    return map;
  }

  /**
   * @param result what a function answered: the error, negated
   */
  static IOException failed(String what, int result) {
    return new IOException(what + ": " + LibC.strerror(-result));
  }
}
