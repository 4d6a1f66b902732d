package org.paceline.agent.enforce.htb;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Transport;

/** A table of the agent's as nft lists it: by what packets find their classes. */
public final class NftListing {
  private static final Pattern MAP = Pattern.compile("\\s*map (local|remote|exact)([46]) \\{");
  private static final Pattern ELEMENT =
      Pattern.compile(
          "(\\d+) \\. ([0-9a-f.:]+) \\. ([0-9a-f.:]+) \\. ([0-9a-f.:]+)(?: \\. (\\d+))? : "
              + ClassIds.HANDLE
              + "([0-9a-f]+)");
  private static final String TCP = "6";

  private NftListing() {}

  /** Each key with the minor number of its class. */
  public static Map<ClassKey, Integer> parse(String table, Direction way) throws IOException {
    Map<ClassKey, Integer> keys = new HashMap<>();
    String kind = "";
    for (String line : table.split("\n", -1)) {
      Matcher map = MAP.matcher(line);
      if (map.matches()) {
        kind = map.group(1);
      }
      Matcher element = ELEMENT.matcher(line);
      while (element.find()) {
        keys.put(key(kind, element, way), Integer.parseInt(element.group(6), 16));
      }
    }
    return keys;
  }

  private static ClassKey key(String kind, Matcher element, Direction way) throws IOException {
    Transport transport = element.group(1).equals(TCP) ? Transport.TCP : Transport.UDP;
    InetAddress local = InetAddress.getByName(element.group(2));
    String second = element.group(3);
    String third = element.group(4);
    return switch (kind) {
      case "local" ->
          new ClassKey(transport, local, port(second), InetAddress.getByName(third), 0, way);
      case "remote" ->
          new ClassKey(transport, local, 0, InetAddress.getByName(second), port(third), way);
      default ->
          new ClassKey(
              transport,
              local,
              port(second),
              InetAddress.getByName(third),
              port(Optional.ofNullable(element.group(5)).orElse("0")),
              way);
    };
  }

  private static int port(String text) throws IOException {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IOException("nft printed (" + text + ") where a port belongs", e);
    }
  }
}
