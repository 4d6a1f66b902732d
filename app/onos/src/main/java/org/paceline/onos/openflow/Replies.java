package org.paceline.onos.openflow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowMessageListener;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * What switches say to what they were asked and told, for whoever waits for it. One listener hears
 * for all: ONOS tells each of its listeners every message of every switch, so that one for each of
 * a thousand orders would be told a million replies.
 */
final class Replies {
  private final OpenFlowController controller;
  private final Duration patience;
  private final OpenFlowMessageListener listener = new Listener();

  /** By the numbers of messages, which ONOS gives once. */
  private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

  /** Who waits for what one switch says. */
  private static final class Waiting {
    final Dpid of;
    final Consumer<OFMessage> hears;
    final CompletableFuture<?> answer;

    Waiting(Dpid of, Consumer<OFMessage> hears, CompletableFuture<?> answer) {
      this.of = of;
      this.hears = hears;
      this.answer = answer;
    }
  }

  private final class Listener implements OpenFlowMessageListener {
    @Override
    public void handleIncomingMessage(Dpid sender, OFMessage message) {
      Waiting found = waiting.get(message.getXid());
      if (found == null || !found.of.equals(sender)) {
        return;
      }
      try {
        found.hears.accept(message);
      } catch (RuntimeException | Error bug) {
        // Whoever asked hears of it, and not the thread of ONOS that reads from the switch.
        found.answer.completeExceptionally(bug);
      }
    }

    @Override
    public void handleOutgoingMessage(Dpid receiver, List<OFMessage> sent) {}
  }

  private Replies(OpenFlowController controller, Duration patience) {
    this.controller = controller;
    this.patience = patience;
  }

  /**
   * Hears from now on, until it is closed.
   *
   * @param patience how long whoever asked waits for the switch
   */
  static Replies of(OpenFlowController controller, Duration patience) {
    Replies replies = new Replies(controller, patience);
    controller.addMessageListener(replies.listener);
    return replies;
  }

  boolean areOf(Object other) {
    return controller == other;
  }

  OpenFlowController controller() {
    return controller;
  }

  void close() {
    controller.removeMessageListener(listener);
  }

  /**
   * Sends in this order, and hears what the switch says to these messages until the answer is
   * complete, or patience is at its end.
   */
  <T> CompletableFuture<T> to(
      OpenFlowSwitch connected,
      List<OFMessage> messages,
      CompletableFuture<T> answer,
      Consumer<OFMessage> hears) {
    Waiting one = new Waiting(connected.getDpid(), hears, answer);
    // Before it is sent: ONOS's own way to wait for an answer can miss one that comes at once.
    messages.forEach(message -> waiting.put(message.getXid(), one));
    CompletableFuture<T> heard =
        answer
            .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (done, silent) ->
                    messages.forEach(message -> waiting.remove(message.getXid(), one)));
    connected.sendMsg(messages);
    return heard;
  }
}
