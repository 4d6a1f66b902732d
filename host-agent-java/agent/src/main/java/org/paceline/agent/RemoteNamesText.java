package org.paceline.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.RemoteName;
import org.paceline.agent.sense.Transport;

/** The names of sockets' destinations, as a running agent tells them to {@code explain}. */
final class RemoteNamesText {
  private static final int FIXED = 7;

  private RemoteNamesText() {}

  /** A line for each socket; no word of it can have a blank. */
  static String write(Map<Flow, RemoteName> names) {
    StringBuilder text = new StringBuilder();
    names.forEach(
        (flow, name) ->
            text.append(
                String.join(
                        " ",
                        flow.transport().name(),
                        flow.local().getHostAddress(),
                        Integer.toString(flow.localPort()),
                        flow.remote().getHostAddress(),
                        Integer.toString(flow.remotePort()),
                        name.source().name(),
                        String.join(" ", name.all()))
                    + "\n"));
    return text.toString();
  }

  /**
   * @throws IOException where an agent of another version speaks otherwise
   */
  static Map<Flow, RemoteName> read(String text) throws IOException {
    Map<Flow, RemoteName> names = new HashMap<>();
    for (String line : text.lines().toList()) {
      List<String> words = List.of(line.split(" ", -1));
      if (words.size() < FIXED) {
        throw new IOException("The agent said (" + line + "). Maybe it is of another version.");
      }
      names.put(
          new Flow(
              Transport.valueOf(words.get(0)),
              InetAddress.getByName(words.get(1)),
              Integer.parseInt(words.get(2)),
              InetAddress.getByName(words.get(3)),
              Integer.parseInt(words.get(4))),
          new RemoteName(
              words.get(6),
              words.subList(FIXED, words.size()),
              RemoteName.Source.valueOf(words.get(5))));
    }
    return names;
  }
}
