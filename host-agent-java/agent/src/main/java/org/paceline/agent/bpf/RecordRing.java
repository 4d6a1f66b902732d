package org.paceline.agent.bpf;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.paceline.agent.posix.LibC;

/** Hears what a program says through a ring buffer, on a thread of its own. */
public final class RecordRing implements Closeable {
  // How long closing waits at most for the thread.
  private static final int POLL_MILLIS = 250;
  private static final int INTERRUPTED = -4;

  private final int map;
  private final Pointer ring;
  // Held here: the library knows it by its address only.
  private final LibBpf.Sample sample;
  private final Thread reader;
  private volatile boolean closed;

  private RecordRing(int map, Consumer<byte[]> records) throws IOException {
    this.map = map;
    this.sample =
        (context, data, size) -> {
          records.accept(data.getByteArray(0, size.intValue()));
          return 0;
        };
    this.ring = LibBpf.ring_buffer__new(map, sample, Pointer.NULL, Pointer.NULL);
    if (Pointer.nativeValue(ring) == 0) {
      int error = Native.getLastError();
      LibC.close(map);
      throw LibBpf.failed("the ring buffer", -error);
    }
    this.reader = new Thread(this::read, "first-packets");
    reader.setDaemon(true);
  }

  public static RecordRing listen(Path pin, Consumer<byte[]> records) throws IOException {
    RecordRing ring = new RecordRing(LibBpf.open(pin.toString()), records);
    ring.reader.start();
    return ring;
  }

  private void read() {
    int result = 0;
    while (!closed && (result >= 0 || result == INTERRUPTED)) {
      result = LibBpf.ring_buffer__poll(ring, POLL_MILLIS);
    }
  }

  public boolean isAlive() {
    return reader.isAlive();
  }

  @Override
  public void close() {
    closed = true;
    try {
      reader.join();
    } catch (InterruptedException e) {
      // Rather a ring too many than one taken away under its reader.
      Thread.currentThread().interrupt();
      return;
    }
    LibBpf.ring_buffer__free(ring);
    LibC.close(map);
  }
}
