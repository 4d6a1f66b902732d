package org.paceline.agent.pace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What turns the classes that are installed into those that are wanted. Changing a class is
 * hundreds of times cheaper than making one anew and keeps its queue, so no class is made again.
 */
record ClassChanges(
    Map<Integer, Long> added, Map<Integer, Long> changed, TreeSet<Integer> removed) {
  // Below this the kernel sends a packet and waits: measured to be smooth and true to the rate.
  private static final long SMALLEST_BURST = 1_600;
  // At high rates the timer cannot fire for each packet: as much as goes out in this time.
  private static final long BURST_MICROS = 150;
  // Sockets are held back by what they have in the queue, so the limit is never reached by TCP and
  // only by a UDP sender with a send buffer far beyond the default.
  private static final int LEAF_PACKETS = 1_000;

  static ClassChanges between(Map<Integer, Long> installed, Map<Integer, Long> wanted) {
    Map<Integer, Long> added = new TreeMap<>(wanted);
    added.keySet().removeAll(installed.keySet());
    Map<Integer, Long> changed = new TreeMap<>(wanted);
    changed
        .entrySet()
        .removeIf(
            entry ->
                added.containsKey(entry.getKey())
                    || entry.getValue().equals(installed.get(entry.getKey())));
    TreeSet<Integer> removed = new TreeSet<>(installed.keySet());
    removed.removeAll(wanted.keySet());
    return new ClassChanges(added, changed, removed);
  }

  boolean isEmpty() {
    return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
  }

  /** As lines for {@code tc -batch}. */
  List<String> commands(String device, String major) {
    List<String> commands = new ArrayList<>();
    removed.forEach(
        minor ->
            commands.add(
                "class del dev " + device + " classid " + major + Integer.toHexString(minor)));
    changed.forEach((minor, rate) -> commands.add(command("change", device, major, minor, rate)));
    added.forEach(
        (minor, rate) -> {
          commands.add(command("add", device, major, minor, rate));
          commands.add(
              "qdisc add dev "
                  + device
                  + " parent "
                  + major
                  + Integer.toHexString(minor)
                  + " pfifo limit "
                  + LEAF_PACKETS);
        });
    return commands;
  }

  private static String command(String verb, String device, String major, int minor, long rate) {
    long burst = Math.max(SMALLEST_BURST, rate / Byte.SIZE * BURST_MICROS / 1_000_000);
    return "class "
        + verb
        + " dev "
        + device
        + " parent "
        + major
        + " classid "
        + major
        + Integer.toHexString(minor)
        + " htb rate "
        + rate
        + "bit ceil "
        + rate
        + "bit burst "
        + burst
        + " cburst "
        + burst
        + " quantum 1514";
  }
}
