package org.paceline.agent.pace;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import org.paceline.agent.sense.SocketHolders;

/**
 * A socket that another process has open, for the time of one call: a connection ends only when
 * nobody holds its socket any more.
 */
final class ForeignSocket {
  // The same on every processor.
  private static final int PIDFD_OPEN = 434;
  private static final int PIDFD_GETFD = 438;
  private static final int SOL_SOCKET = 1;
  private static final int SO_MAX_PACING_RATE = 47;
  private static final int SO_COOKIE = 57;

  private ForeignSocket() {}

  private interface Call {
    void on(int file) throws IOException;
  }

  /** Whether this process may have a copy of that file, which a socket's rate is set by. */
  static void tryToReach(SocketHolders.Holder holder) throws IOException {
    with(holder, file -> {});
  }

  /**
   * The kernel lets it send so much payload at most from now on.
   *
   * @param cookie the socket's: the process may have closed it, and opened another file
   */
  static void limit(SocketHolders.Holder holder, long cookie, long bytesPerSecond)
      throws IOException {
    with(
        holder,
        file -> {
          try (Memory value = new Memory(Long.BYTES);
              Memory length = new Memory(Integer.BYTES)) {
            length.setInt(0, Long.BYTES);
            if (LibC.getsockopt(file, SOL_SOCKET, SO_COOKIE, value, length) != 0
                || value.getLong(0) != cookie) {
              throw new IOException("its process has closed it");
            }
            value.setLong(0, bytesPerSecond);
            check(
                "SO_MAX_PACING_RATE",
                LibC.setsockopt(file, SOL_SOCKET, SO_MAX_PACING_RATE, value, Long.BYTES));
          }
        });
  }

  private static void with(SocketHolders.Holder holder, Call call) throws IOException {
    int process = check("pidfd_open", call(PIDFD_OPEN, holder.pid(), 0));
    try {
      int file = check("pidfd_getfd", call(PIDFD_GETFD, process, holder.file()));
      try {
        call.on(file);
      } finally {
        LibC.close(file);
      }
    } finally {
      LibC.close(process);
    }
  }

  private static int call(int number, long first, long second) {
    return LibC.syscall(
            new NativeLong(number),
            new NativeLong(first),
            new NativeLong(second),
            new NativeLong(0))
        .intValue();
  }

  private static int check(String what, int result) throws IOException {
    if (result < 0) {
      throw new IOException(what + ": " + LibC.strerror(Native.getLastError()));
    }
    return result;
  }
}
