package org.paceline.agent.status;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.paceline.agent.application.Claims;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RemoteName;
import org.paceline.intents.tree.IntentPath;

/** What a running agent knows of sockets, as it tells it to {@code explain}. */
public final class SocketKnowledgeText {
  private static final String NAME = "name";
  private static final String CLAIM = "claim";
  private static final String PEER = "peer";
  private static final int OF_FLOW = 5;

  private SocketKnowledgeText() {}

  /** A line for each; no word of it can have a blank. */
  public static String write(SocketKnowledge known) {
    StringBuilder text = new StringBuilder();
    known
        .names()
        .forEach(
            (flow, name) ->
                line(text, NAME, words(flow), name.source().name(), String.join(" ", name.all())));
    known
        .claims()
        .forEach(
            (inode, claim) ->
                line(text, CLAIM, "" + inode, "" + claim.process(), claim.intent().toString()));
    known.peers().forEach((flow, inode) -> line(text, PEER, words(flow), "" + inode));
    return text.toString();
  }

  private static void line(StringBuilder text, String... words) {
    text.append(String.join(" ", words)).append('\n');
  }

  private static String words(Flow flow) {
    return String.join(
        " ",
        flow.transport().name(),
        flow.local().getHostAddress(),
        Integer.toString(flow.localPort()),
        flow.remote().getHostAddress(),
        Integer.toString(flow.remotePort()));
  }

  /**
   * @throws IOException where an agent of another version speaks otherwise
   */
  public static SocketKnowledge read(String text) throws IOException {
    Map<Flow, RemoteName> names = new HashMap<>();
    Map<Long, Claims.Claimed> claims = new HashMap<>();
    Map<Flow, Long> peers = new HashMap<>();
    for (String line : text.lines().toList()) {
      try {
        List<String> words = List.of(line.split(" ", -1));
        List<String> said = words.subList(1, words.size());
        switch (words.get(0)) {
          case NAME -> names.put(flow(said), name(said.subList(OF_FLOW, said.size())));
          case CLAIM -> claims.put(Long.parseLong(said.get(0)), claim(said));
          case PEER -> peers.put(flow(said), Long.parseLong(said.get(OF_FLOW)));
          default -> throw new IllegalArgumentException(line);
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new IOException("it said (" + line + "), maybe it is of another version", e);
      }
    }
    return new SocketKnowledge(names, claims, peers);
  }

  private static Flow flow(List<String> words) throws IOException {
    return new Flow(
        Transport.valueOf(words.get(0)),
        InetAddress.getByName(words.get(1)),
        Integer.parseInt(words.get(2)),
        InetAddress.getByName(words.get(3)),
        Integer.parseInt(words.get(4)));
  }

  private static RemoteName name(List<String> words) {
    return new RemoteName(
        words.get(1), words.subList(2, words.size()), RemoteName.Source.valueOf(words.get(0)));
  }

  private static Claims.Claimed claim(List<String> words) {
    return new Claims.Claimed(IntentPath.parse(words.get(2)), Long.parseLong(words.get(1)));
  }
}
