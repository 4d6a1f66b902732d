package org.paceline.agent.pacing;

import static org.paceline.agent.posix.ShellWords.quoted;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.HelperProcesses;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.edt.DepartureProgram;
import org.paceline.agent.enforce.htb.Classifier;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.posix.ShellWords;
import org.paceline.agent.posix.StartedProcess;

/**
 * A small shell that outlives the agent by a moment: it waits on a pipe whose other end only the
 * agent holds. However the agent ends, killed included, the kernel closes the pipe, and the shell
 * takes everything down: at once where the agent said goodbye, else after a grace in which the next
 * agent may take over what is installed. Whoever of the two renames the state file first has it.
 */
final class Guardian implements HelperProcesses, AutoCloseable {
  private static final int CLEANING_SECONDS = 15;
  private static final String KEEP_LOCK = "keep-lock";
  private static final String GOODBYE = "goodbye";
  private static final int STEPS_A_SECOND = 5;

  private final Process shell;
  private final BufferedWriter pipe;
  private final StateFile state;

  private Guardian(Process shell, BufferedWriter pipe, StateFile state) {
    this.shell = shell;
    this.pipe = pipe;
    this.state = state;
  }

  static Guardian watch(List<ManagedInterface> interfaces, Duration grace, StateFile state)
      throws IOException {
    // Signals to the whole group, such as Ctrl-C, are for the agent; the guardian waits for its
    // end.
    String script =
        "trap '' INT TERM HUP QUIT\n"
            + "helpers= goodbye= step=0\n"
            + "lock="
            + quoted(state.lock())
            + "\n"
            + "while read -r word; do\n"
            + "  case \"$word\" in "
            + KEEP_LOCK
            + ") lock=;; "
            + GOODBYE
            + ") goodbye=1;; *) helpers=\"$helpers $word\";; esac\n"
            + "done\n"
            + "set -- $helpers\n"
            + "while [ $# -gt 1 ]; do\n"
            // A number may belong to somebody else by now.
            + "  case \"$(cut -d' ' -f22 /proc/$1/stat)\" in $2) kill $1;; esac\n"
            + "  shift 2\n"
            + "done\n"
            + "while [ -z \"$goodbye\" ] && [ $step -lt "
            + grace.toSeconds() * STEPS_A_SECOND
            + " ]; do sleep 0.2; step=$((step+1)); done\n"
            + "mv "
            + quoted(state.path())
            + " "
            + quoted(state.ending())
            + " || [ -n \"$goodbye\" ] || exit 0\n"
            + restoring(state)
            + removal(interfaces)
            // Between braces a path's own brace would end them.
            + "socket="
            + quoted(state.statusSocket())
            + "\nrm -f "
            + quoted(state.ending())
            + " ${lock:+\"$lock\" \"$socket\"}\n";
    Process shell =
        new ProcessBuilder("sh", "-c", script)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedWriter pipe =
        new BufferedWriter(
            new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.US_ASCII));
    Guardian guardian = new Guardian(shell, pipe, state);
    try {
      state.write(interfaces, started(shell.pid()));
    } catch (IOException e) {
      // What was written of it, on a full disk, must not be taken for a state.
      guardian.keepLock();
      guardian.close();
      throw e;
    }
    return guardian;
  }

  /** Only a program can reach other processes' sockets; it is the agent's own. */
  private static String restoring(StateFile state) {
    String java = ProcessHandle.current().info().command().orElse("java");
    String properties =
        Stream.of("jna.boot.library.path", "jna.tmpdir")
            .filter(name -> System.getProperty(name) != null)
            .map(name -> " " + quoted("-D" + name + "=" + System.getProperty(name)))
            .collect(Collectors.joining());
    String sockets = quoted(state.sockets());
    return "[ -s "
        + sockets
        + " ] && "
        + quoted(java)
        + " -Xmx32m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
        + properties
        + " -cp "
        + quoted(System.getProperty("java.class.path"))
        + " org.paceline.agent.PacelineAgent restore "
        + sockets
        + "\n"
        + "rm -f "
        + sockets
        + "\n";
  }

  /** Takes down what an agent may have left; what is not there does not matter. */
  static String removal(List<ManagedInterface> interfaces) throws IOException {
    StringBuilder script = new StringBuilder();
    script.append("nft delete table inet ").append(Classifier.TABLE).append('\n');
    script.append(IngressShaper.removal());
    for (ManagedInterface managed : interfaces) {
      script.append(DepartureProgram.removal(managed.name(), managed.foundHook()));
      // Only ours: with this handle.
      script.append(
          String.format(
              "tc qdisc del dev %s root handle %s%n", quoted(managed.name()), ClassIds.HANDLE));
      script.append(SegmentLimits.command(managed.name(), managed.gsoMaxSegs()));
      managed
          .foundQueue()
          .ifPresent(
              queue ->
                  script.append(
                      String.format(
                          "tc qdisc add dev %s root %s%n",
                          quoted(managed.name()), ShellWords.eachQuoted(queue))));
    }
    script.append("rm -rf ").append(quoted(DepartureProgram.pins())).append('\n');
    return script.toString();
  }

  @Override
  public void alsoEnd(long pid) throws IOException {
    StartedProcess helper = started(pid);
    pipe.write(helper.text() + "\n");
    pipe.flush();
    state.helper(helper);
  }

  private static StartedProcess started(long pid) throws IOException {
    return StartedProcess.of(pid)
        .orElseThrow(() -> new IOException("the process (" + pid + ") has ended at once"));
  }

  /** The agent goes on without pacing: nobody else may start one here. */
  void keepLock() throws IOException {
    pipe.write(KEEP_LOCK + "\n");
    pipe.flush();
  }

  /** Takes everything down and waits until it is done. */
  @Override
  public void close() throws IOException {
    pipe.write(GOODBYE + "\n");
    pipe.close();
    try {
      if (!shell.waitFor(CLEANING_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the clean-up takes longer than " + CLEANING_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
