package org.paceline.agent.enforce.socket;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.paceline.agent.posix.LibC;
import org.paceline.agent.sockets.SocketHolders;

/**
 * Sockets that other processes have open. Of a socket there is a copy here for the time of one call
 * only: a connection ends when nobody holds its socket any more. Of a process there is a handle
 * (pidfd_open(2)), which keeps nothing of it alive, as long as there are few. Owned by one thread.
 */
final class ForeignSockets implements Closeable {
  private static final int MOST_PROCESSES = 256;
  // The same on every processor.
  private static final int PIDFD_OPEN = 434;
  private static final int PIDFD_GETFD = 438;
  private static final int ESRCH = 3;
  private static final int SOL_SOCKET = 1;
  private static final int SO_MAX_PACING_RATE = 47;
  private static final int SO_COOKIE = 57;

  private final Map<Long, Integer> processes = new HashMap<>();
  private final Memory value = new Memory(Long.BYTES);
  private final Memory length = new Memory(Integer.BYTES);

  /** Whether this process may have a copy of that file, which a socket's rate is set by. */
  void tryToReach(SocketHolders.Holder holder) throws IOException {
    LibC.close(copy(holder));
  }

  /**
   * The kernel lets it send so much payload at most from now on, in bytes per second; where it
   * holds something else than was thought, it stays as it is.
   *
   * @param cookie the socket's: the process may have closed it, and opened another file
   * @param before what it is thought to hold
   * @return what the kernel shows that it holds now
   */
  long limit(SocketHolders.Holder holder, long cookie, long before, long bytesPerSecond)
      throws IOException {
    int file = copy(holder);
    try {
      if (read(file, SO_COOKIE) != cookie) {
        throw new IOException("its process has closed it");
      }
      long held = read(file, SO_MAX_PACING_RATE);
      if (held != before) {
        return held;
      }
      value.setLong(0, bytesPerSecond);
      check(
          "SO_MAX_PACING_RATE",
          LibC.setsockopt(file, SOL_SOCKET, SO_MAX_PACING_RATE, value, Long.BYTES));
      return read(file, SO_MAX_PACING_RATE);
    } finally {
      LibC.close(file);
    }
  }

  private long read(int file, int option) throws IOException {
    length.setInt(0, Long.BYTES);
    check("getsockopt", LibC.getsockopt(file, SOL_SOCKET, option, value, length));
    return value.getLong(0);
  }

  private int copy(SocketHolders.Holder holder) throws IOException {
    Integer known = processes.get(holder.pid());
    if (known != null) {
      int file = LibC.syscall(PIDFD_GETFD, known, holder.file(), 0);
      if (file >= 0 || Native.getLastError() != ESRCH) {
        return check("pidfd_getfd", file);
      }
      // It has ended; its number may be another's by now.
      processes.remove(holder.pid());
      LibC.close(known);
    }
    if (processes.size() >= MOST_PROCESSES) {
      close();
    }
    int process = check("pidfd_open", LibC.syscall(PIDFD_OPEN, holder.pid(), 0, 0));
    processes.put(holder.pid(), process);
    return check("pidfd_getfd", LibC.syscall(PIDFD_GETFD, process, holder.file(), 0));
  }

  private static int check(String what, long result) throws IOException {
    if (result < 0) {
      throw new IOException(what + ": " + LibC.strerror(Native.getLastError()));
    }
    return (int) result;
  }

  @Override
  public void close() {
    processes.values().forEach(LibC::close);
    processes.clear();
  }
}
