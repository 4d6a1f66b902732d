package org.paceline.agent.bpf;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.paceline.agent.posix.LibC;

/**
 * A pinned program of a packet hook, run on single packets without any interface ({@code
 * BPF_PROG_TEST_RUN}); what it made of each can be seen, which needs no queue that heeds it.
 */
public final class ProgramRun implements Closeable {
  // struct bpf_test_run_opts
  private static final int OPTIONS = 80;
  private static final int DATA_IN = 8;
  private static final int DATA_SIZE_IN = 24;
  private static final int CONTEXT_IN = 32;
  private static final int CONTEXT_OUT = 40;
  private static final int CONTEXT_SIZE_IN = 48;
  private static final int CONTEXT_SIZE_OUT = 52;
  private static final int ANSWER = 56;
  // struct __sk_buff
  private static final int CONTEXT = 192;
  private static final int TIME = 152;
  private static final int SHOT = 2;

  static {
    Native.register(ProgramRun.class, NativeLibrary.getInstance("libbpf.so.1"));
  }

  private final int program;
  private final Memory options = new Memory(OPTIONS);
  private final Memory context = new Memory(CONTEXT);

  private ProgramRun(int program) {
    this.program = program;
  }

  static native int bpf_prog_test_run_opts(int program, Pointer options);

  public static ProgramRun open(Path pin) throws IOException {
    return new ProgramRun(LibBpf.open(pin.toString()));
  }

  /** When the packet may leave, in ns of CLOCK_MONOTONIC; 0: at once; less: it was dropped. */
  public long departure(byte[] frame) throws IOException {
    try (Memory data = new Memory(frame.length)) {
      data.write(0, frame, 0, frame.length);
      options.clear();
      context.clear();
      options.setLong(0, OPTIONS);
      options.setPointer(DATA_IN, data);
      options.setInt(DATA_SIZE_IN, frame.length);
      options.setPointer(CONTEXT_IN, context);
      options.setPointer(CONTEXT_OUT, context);
      options.setInt(CONTEXT_SIZE_IN, CONTEXT);
      options.setInt(CONTEXT_SIZE_OUT, CONTEXT);
      int result = bpf_prog_test_run_opts(program, options);
      if (result < 0) {
        throw LibBpf.failed("a run of the program", result);
      }
      return options.getInt(ANSWER) == SHOT ? -1 : context.getLong(TIME);
    }
  }

  @Override
  public void close() {
    LibC.close(program);
  }
}
