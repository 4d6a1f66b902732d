package org.paceline.agent.netns;

import java.io.IOException;
import org.paceline.protocol.ConversationOpened;

/** A server on the sender that sends all it can, a client at the receiver, and what they are. */
final class Download implements AutoCloseable {
  private final TrafficProcess.Group both;
  private final long serverPid;
  private final ConversationOpened opened;

  private Download(TrafficProcess.Group both, long serverPid, ConversationOpened opened) {
    this.both = both;
    this.serverPid = serverPid;
    this.opened = opened;
  }

  /** As soon as the controller knows of it. */
  static Download start(
      TwoHosts hosts, TestController controller, String address, int port, int sockets)
      throws IOException, InterruptedException {
    String at = Integer.toString(port);
    TrafficProcess.Group both = new TrafficProcess.Group();
    try {
      long serverPid = both.start(hosts.sender, "serve", address, at).pid();
      both.start(hosts.receiver, "fetch", address, at, Integer.toString(sockets));
      return new Download(both, serverPid, controller.awaitOpen("files/download"));
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      both.close();
      throw e;
    }
  }

  ConversationOpened opened() {
    return opened;
  }

  long serverPid() {
    return serverPid;
  }

  String id() {
    return opened.getId();
  }

  @Override
  public void close() throws InterruptedException {
    both.close();
  }
}
