package org.paceline.agent.sockets;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the kernel has counted of an interface since it is there. */
public record InterfaceCounts(
    long receivedBytes, long receivedFrames, long sentBytes, long sentFrames) {
  /**
   * Of all interfaces, by their names.
   *
   * @param table normally /proc/net/dev, which is the namespace of who reads it
   */
  public static Map<String, InterfaceCounts> read(Path table) throws IOException {
    Map<String, InterfaceCounts> counts = new HashMap<>();
    // Names may have any bytes.
    for (String line : Files.readString(table, StandardCharsets.ISO_8859_1).split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String[] fields = line.substring(colon + 1).trim().split("\\s+", -1);
        counts.put(
            line.substring(0, colon).trim(),
            new InterfaceCounts(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[8]),
                Long.parseLong(fields[9])));
      }
    }
    return counts;
  }
}
