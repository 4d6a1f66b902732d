package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.posix.Command;
import org.paceline.agent.posix.ShellWords;

/**
 * How many packets leave each interface at once ({@code gso_max_segs}). Otherwise one send of 64 kB
 * is one packet to the queue, and leaves at link speed; where round trips are short also that of a
 * socket that spaces its packets by itself. Owned by one thread.
 */
final class SegmentLimits {
  private final EnforcerKind kind;
  private final OptionalInt always;
  private final Map<String, PacketsAtOnce> choices = new HashMap<>();
  private final Map<String, Integer> set = new HashMap<>();

  SegmentLimits(EnforcerKind kind, OptionalInt always) {
    this.kind = kind;
    this.always = always;
  }

  /** Sets the limit where the one that fits these rates is another than before. */
  void follow(String device, Map<Integer, ClassRate> rates) throws IOException {
    if (device.equals(IngressShaper.DEVICE)) {
      // What came together goes on together: nobody else waits for it.
      return;
    }
    long sum = 0;
    long pool = 0;
    for (Map.Entry<Integer, ClassRate> one : rates.entrySet()) {
      if (one.getKey() == ClassIds.POOL) {
        pool = one.getValue().bitsPerSecond();
      } else {
        sum += one.getValue().bitsPerSecond();
      }
    }
    int segments =
        choices
            .computeIfAbsent(device, any -> new PacketsAtOnce(always))
            .with(Math.max(sum, pool), System.nanoTime());
    if (Optional.of(segments).equals(Optional.ofNullable(set.get(device)))
        || Netlink.index(device).isEmpty()) {
      return;
    }
    Command.Outcome outcome = Command.run("sh", "-c", command(device, segments));
    // Sockets are told their rates also where interfaces are not this process's to change.
    if (!outcome.ok() && kind.touchesInterfaces()) {
      throw new IOException("how many packets leave at once cannot be said: " + outcome.output());
    }
    set.put(device, segments);
  }

  /** Another interface may have this name by now. */
  void forget(String device) {
    set.remove(device);
  }

  /**
   * For a shell. A socket keeps the limit that it found with its route, so that route has to be
   * looked up anew: that the interface's group was set, to what it is, makes the kernel do so.
   */
  static String command(String device, int segments) {
    return String.format(
        "group=$(ip link show dev %s | sed -n '1s/.* group \\([^ ]*\\).*/\\1/p')%n"
            + "ip link set dev %s gso_max_segs %d ${group:+group \"$group\"}%n",
        ShellWords.quoted(device), ShellWords.quoted(device), segments);
  }
}
