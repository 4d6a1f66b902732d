package org.paceline.agent.netns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs programs, in a network namespace or outside. */
final class Sh {
  private Sh() {}

  static String run(String... words) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(Arrays.toString(words) + ": " + output);
    }
    return output;
  }

  /** Unlike {@code ip netns exec}, this leaves /sys as it is. */
  static String[] inside(String namespace, String... words) {
    List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace));
    all.addAll(List.of(words));
    return all.toArray(String[]::new);
  }
}
