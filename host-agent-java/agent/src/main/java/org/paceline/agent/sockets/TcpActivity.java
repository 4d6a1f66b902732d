package org.paceline.agent.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the kernel counts of a network namespace's TCP sockets. To read the table of sockets it
 * walks through a hash table that is sized by the host's memory, four times for what is in both
 * tables: milliseconds, with one socket as with thousands. These counters take it microseconds, and
 * as long as they stand still no connection was opened, refused or ended, and no socket listens
 * that did not before.
 *
 * @param connections how many were opened either way, failed, were reset, and are established
 * @param sockets of IPv4
 * @param sockets6 of IPv6, which may talk to IPv4 addresses
 */
record TcpActivity(List<String> connections, int sockets, int sockets6) {
  private static final List<String> COUNTED =
      List.of("ActiveOpens", "PassiveOpens", "AttemptFails", "EstabResets", "CurrEstab");

  /** Empty where the kernel does not count, or not in this way. */
  static Optional<TcpActivity> read(Path directory) {
    try {
      Optional<List<String>> connections = connections(directory);
      List<List<String>> inUse = lines(directory.resolve("sockstat"), "TCP:");
      Path second = directory.resolve("sockstat6");
      List<List<String>> inUse6 = Files.exists(second) ? lines(second, "TCP6:") : List.of();
      if (connections.isEmpty() || inUse.size() != 1) {
        return Optional.empty();
      }
      return Optional.of(
          new TcpActivity(
              connections.get(), inUse(inUse.get(0)), inUse6.isEmpty() ? 0 : inUse(inUse6.get(0))));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Only {@link #connections}, which is a third of the work: nothing of listeners. */
  static Optional<List<String>> connections(Path directory) {
    try {
      List<List<String>> tcp = lines(directory.resolve("snmp"), "Tcp:");
      // Names, and in the next line their values.
      if (tcp.size() != 2) {
        return Optional.empty();
      }
      List<String> counted = new ArrayList<>();
      for (String name : COUNTED) {
        counted.add(tcp.get(1).get(tcp.get(0).indexOf(name)));
      }
      return Optional.of(counted);
    } catch (IOException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static int inUse(List<String> words) {
    return Integer.parseInt(words.get(words.indexOf("inuse") + 1));
  }

  private static List<List<String>> lines(Path file, String first) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII)
        .lines()
        .filter(line -> line.startsWith(first))
        .map(line -> Arrays.asList(line.trim().split(" ", -1)))
        .toList();
  }
}
