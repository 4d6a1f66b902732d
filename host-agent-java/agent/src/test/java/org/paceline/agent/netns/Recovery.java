package org.paceline.agent.netns;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Begins with the moment at which whatever had failed works again: from then on every conversation
 * comes to be right, as the kernel has it and not by anybody's word. How long it took is printed: 5
 * s at most on a machine that has nothing else to do.
 */
final class Recovery {
  private static final Duration PATIENCE = InNamespaces.LONG;

  private final TwoHosts hosts;
  private final long began = System.nanoTime();

  Recovery(TwoHosts hosts) {
    this.hosts = hosts;
  }

  /** A class of each of these rates is there, and what it has sent goes up. */
  void awaitPaced(String... rates) throws Exception {
    awaitPacedOn(TwoHosts.DEVICE, rates);
  }

  void awaitPacedOn(String device, String... rates) throws Exception {
    Map<String, Long> first = new HashMap<>();
    await(
        "classes of " + List.of(rates) + " on " + device + " send",
        () -> {
          Map<String, Long> now = hosts.sentByRate(device);
          now.forEach(first::putIfAbsent);
          return List.of(rates).stream()
              .allMatch(
                  rate -> now.getOrDefault(rate, 0L) > first.getOrDefault(rate, Long.MAX_VALUE));
        });
  }

  void await(String what, Callable<Boolean> isSo) throws Exception {
    boolean so = isSo.call();
    while (!so && System.nanoTime() - began < PATIENCE.toNanos()) {
      Thread.sleep(100);
      so = isSo.call();
    }
    String text = String.format("after %.1f s", (System.nanoTime() - began) / 1e9);
    if (!so) {
      throw new AssertionError(
          "Not so "
              + text
              + ": "
              + what
              + "\n"
              + hosts.onSender(
                  "sh",
                  "-c",
                  "tc -s qdisc show; tc -s class show dev pla0; tc -s class show dev pla1 ||"
                      + " true"));
    }
    System.out.println(text + ": " + what);
  }
}
