package org.paceline.agent.bpf;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.paceline.agent.posix.LibC;

/**
 * A mappable array of rows of 64-bit numbers, the very memory that the kernel's program works in:
 * what is written here holds from the next packet on, and what is read is what it goes by. Owned by
 * one thread.
 */
public final class SharedTable implements Closeable {
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int READ_WRITE = 3;
  private static final int SHARED = 1;

  private final Pointer memory;
  private final NativeLong length;
  private final ByteBuffer bytes;
  private final int columns;

  private SharedTable(Pointer memory, long length, int columns) {
    this.memory = memory;
    this.length = new NativeLong(length);
    this.bytes = memory.getByteBuffer(0, length).order(ByteOrder.nativeOrder());
    this.columns = columns;
  }

  /** Memory that is mapped already: {@link #close} takes it back. */
  public static SharedTable at(Pointer memory, int rows, int columns) {
    return new SharedTable(memory, (long) rows * columns * Long.BYTES, columns);
  }

  /**
   * The map of this name.
   *
   * @param rows together a whole number of pages
   */
  public static SharedTable open(Path pin, int rows, int columns) throws IOException {
    int map = LibBpf.open(pin.toString());
    long length = (long) rows * columns * Long.BYTES;
    Pointer memory =
        LibC.mmap(Pointer.NULL, new NativeLong(length), READ_WRITE, SHARED, map, new NativeLong(0));
    int error = Native.getLastError();
    // The mapping keeps it.
    LibC.close(map);
    if (Pointer.nativeValue(memory) == -1) {
      throw LibBpf.failed(pin.toString(), -error);
    }
    return at(memory, rows, columns);
  }

  private int at(int row, int column) {
    return (row * columns + column) * Long.BYTES;
  }

  public long get(int row, int column) {
    return (long) LONGS.getVolatile(bytes, at(row, column));
  }

  public void set(int row, int column, long value) {
    LONGS.setVolatile(bytes, at(row, column), value);
  }

  /** Unless the program has written meanwhile. */
  public boolean replace(int row, int column, long known, long value) {
    return LONGS.compareAndSet(bytes, at(row, column), known, value);
  }

  @Override
  public void close() {
    LibC.munmap(memory, length);
  }
}
