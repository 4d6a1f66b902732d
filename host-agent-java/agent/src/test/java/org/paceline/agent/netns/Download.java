package org.paceline.agent.netns;

import java.io.IOException;
import org.paceline.protocol.ConversationOpened;

/** A server on the sender that sends all it can, a client at the receiver, and what they are. */
final class Download implements AutoCloseable {
  private final TrafficProcess server;
  private final TrafficProcess client;
  private final ConversationOpened opened;

  private Download(TrafficProcess server, TrafficProcess client, ConversationOpened opened) {
    this.server = server;
    this.client = client;
    this.opened = opened;
  }

  /** As soon as the controller knows of it. */
  static Download start(
      TwoHosts hosts, TestController controller, String address, int port, int sockets)
      throws IOException, InterruptedException {
    String at = Integer.toString(port);
    TrafficProcess server = TrafficProcess.start(hosts.sender, "serve", address, at);
    TrafficProcess client =
        TrafficProcess.start(hosts.receiver, "fetch", address, at, Integer.toString(sockets));
    return new Download(server, client, controller.awaitOpen("files/download"));
  }

  ConversationOpened opened() {
    return opened;
  }

  long serverPid() {
    return server.pid();
  }

  String id() {
    return opened.getId();
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
    server.close();
  }
}
