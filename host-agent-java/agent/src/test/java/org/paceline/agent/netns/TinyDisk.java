package org.paceline.agent.netns;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A mount namespace in which /run, where an agent writes its state, is a few pages of memory. */
final class TinyDisk implements AutoCloseable {
  private final Process holder;

  TinyDisk() throws IOException {
    holder =
        new ProcessBuilder(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=64k tmpfs /run && echo ready && exec cat")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
    assumeTrue("ready".equals(said.readLine()), "Skipped: no file system can be mounted here.");
  }

  /** What starts a program where this disk is. */
  List<String> words() {
    return List.of("nsenter", "--mount=/proc/" + holder.pid() + "/ns/mnt");
  }

  /** To the last byte. */
  void fill() throws IOException, InterruptedException {
    sh("cat /dev/zero > /run/full 2>/dev/null || true");
  }

  void free() throws IOException, InterruptedException {
    sh("rm /run/full");
  }

  /** The names of what is on it. */
  List<String> files() throws IOException, InterruptedException {
    return sh("ls /run").lines().toList();
  }

  private String sh(String script) throws IOException, InterruptedException {
    List<String> before = words();
    return Sh.run(before.get(0), before.get(1), "sh", "-c", script);
  }

  @Override
  public void close() throws InterruptedException {
    holder.destroyForcibly();
    holder.waitFor();
  }
}
