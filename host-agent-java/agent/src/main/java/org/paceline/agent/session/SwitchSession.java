package org.paceline.agent.session;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.paceline.agent.config.SwitchConfig;
import org.paceline.agent.ports.DividedPort;
import org.paceline.agent.ports.PortDivider;
import org.paceline.agent.ports.PortShares;
import org.paceline.agent.ports.QueueReading;
import org.paceline.agent.runtime.AgentVersion;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PortQueue;
import org.paceline.protocol.PortQueues;
import org.paceline.protocol.QueueCount;
import org.paceline.protocol.QueueCounts;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.Welcome;

/**
 * How an agent that divides ports of switches stands with its controller: tells it which ports,
 * divides them as it says, and tells it each second what is in force. Without the controller ports
 * stay as they are, for that holds nobody back. Owned by one thread.
 */
public final class SwitchSession implements ControllerStream.Listener, AutoCloseable {
  // A loop that comes so late has stood still.
  private static final Duration STANDS_STILL = Duration.ofSeconds(5);

  private static final Duration BETWEEN_RENEWALS = Duration.ofHours(1);

  private final SwitchConfig config;
  private final int protocolVersion;
  private final Console console;
  private final EventLoop loop;
  private final PortDivider ports;
  private final ControllerSilence silence;
  private final ControllerStream stream;
  private final ReconnectBackoff backoff = new ReconnectBackoff(new Random());
  private final CompletableFuture<String> refused = new CompletableFuture<>();
  private boolean attached;
  private boolean everWelcomed;
  private String notAllowed = "";

  public SwitchSession(
      SwitchConfig config,
      int protocolVersion,
      Console console,
      EventLoop loop,
      PortDivider ports) {
    this.config = config;
    this.protocolVersion = protocolVersion;
    this.console = console;
    this.loop = loop;
    this.ports = ports;
    this.silence =
        new ControllerSilence(
            ControllerSilence::sinceBoot, config.reportInterval().plus(STANDS_STILL));
    this.stream =
        new ControllerStream(
            config.controller().host(),
            config.controller().port(),
            config.controller().tls(),
            loop,
            this);
  }

  /** Completes with the reason when a person has to put something right. */
  public CompletableFuture<String> refused() {
    return refused;
  }

  public boolean isAttached() {
    return attached;
  }

  /** Why the controller lets this agent divide no ports of a switch; empty where it does. */
  public String notAllowed() {
    return notAllowed;
  }

  public void attach() throws IOException {
    Hello.Builder hello =
        Hello.newBuilder()
            .setProtocolVersion(protocolVersion)
            .setHostId(config.hostId())
            .setAgentVersion(AgentVersion.number());
    Map<String, DividedPort> divided = ports.divided();
    for (SwitchConfig.Bridge one : config.switches()) {
      for (String port : one.ports()) {
        hello.addPorts(queue(one.device(), port, Optional.ofNullable(divided.get(port)), ""));
      }
    }
    stream.open(AgentMessage.newBuilder().setHello(hello).build());
  }

  private static PortQueue queue(
      String device, String port, Optional<DividedPort> divided, String error) {
    PortQueue.Builder queue =
        PortQueue.newBuilder().setSwitchId(device).setPort(port).setError(error);
    divided
        .map(DividedPort::shares)
        .ifPresent(
            held ->
                queue
                    .setElephantsBitsPerSecond(held.elephantsBitsPerSecond())
                    .setOthersBitsPerSecond(held.othersBitsPerSecond())
                    .setElephantDscp(held.dscp()));
    return queue.build();
  }

  private static QueueCounts counts(DividedPort port) {
    Instant since = port.since();
    return QueueCounts.newBuilder()
        .setSinceUnixNanos(TimeUnit.SECONDS.toNanos(since.getEpochSecond()) + since.getNano())
        .setRunningNanos(port.running().toNanos())
        .setElephants(count(port.elephants()))
        .setOthers(count(port.others()))
        .build();
  }

  private static QueueCount count(QueueReading counted) {
    return QueueCount.newBuilder()
        .setBytes(counted.bytes())
        .setPackets(counted.packets())
        .setDroppedPackets(counted.droppedPackets())
        .build();
  }

  @Override
  public void received(ControllerMessage message, long arrivedNanos) {
    silence.heard();
    loop.guarded(
        () -> {
          switch (message.getMessageCase()) {
            case WELCOME -> welcome(message.getWelcome());
            case PORTS -> divide(message.getPorts());
            case REFUSAL -> refusal(message.getRefusal());
            // There are no conversations.
            case RATES, HEARTBEAT, MESSAGE_NOT_SET -> {}
          }
        });
  }

  private void welcome(Welcome welcome) {
    silence.agreed(welcome);
    backoff.reset();
    if (!attached) {
      notAllowed = "";
      console.say(
          "attached to "
              + config.controller().text()
              + " (node "
              + welcome.getController()
              + ") as "
              + config.hostId()
              + ", session "
              + welcome.getSession()
              + ", for ports of "
              + config.switches().stream().map(SwitchConfig.Bridge::device).toList());
    }
    if (!everWelcomed) {
      renewCertificate();
    }
    attached = true;
    everWelcomed = true;
  }

  private void divide(PortQueues told) throws IOException {
    PortQueues.Builder answer = PortQueues.newBuilder().setNumber(told.getNumber());
    List<String> errors = new ArrayList<>();
    for (PortQueue one : told.getPortsList()) {
      errors.add(divide(one));
    }
    Map<String, DividedPort> divided = ports.divided();
    for (int i = 0; i < errors.size(); i++) {
      PortQueue one = told.getPorts(i);
      answer.addPorts(
          queue(
              one.getSwitchId(),
              one.getPort(),
              Optional.ofNullable(divided.get(one.getPort())),
              errors.get(i)));
    }
    stream.send(AgentMessage.newBuilder().setPorts(answer).build());
  }

  /** Why it is not as told; empty where it is. */
  private String divide(PortQueue told) throws IOException {
    boolean ours =
        config.switches().stream()
            .anyMatch(
                one ->
                    one.device().equals(told.getSwitchId())
                        && one.ports().contains(told.getPort()));
    if (!ours) {
      return "This agent does not divide the port ("
          + told.getPort()
          + ") of the switch ("
          + told.getSwitchId()
          + ").";
    }
    if (told.getElephantsBitsPerSecond() == 0 && told.getOthersBitsPerSecond() == 0) {
      ports.clear(told.getPort());
      return "";
    }
    try {
      notAllowed = "";
      return ports
          .divide(
              told.getPort(),
              new PortShares(
                  told.getElephantsBitsPerSecond(),
                  told.getOthersBitsPerSecond(),
                  told.getElephantDscp()))
          .orElse("");
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void refusal(Refusal refusal) {
    String text = RefusalText.of(refusal);
    switch (refusal.getCode()) {
      case SWITCH_NOT_ALLOWED -> {
        notAllowed = refusal.getMessage();
        console.say("the controller refused, " + text);
      }
      // After a cut the controller may still hold this host's former stream for a while.
      case UNAVAILABLE, DUPLICATE_HOST -> stream.giveUp(text);
      default -> refused.complete("The controller refused this agent, " + text);
    }
  }

  /**
   * Tells what is in force and what was counted; gives up a stream on which nothing comes any more.
   */
  public void report() throws IOException {
    silence.passes();
    if (!attached) {
      return;
    }
    if (silence.isDead()) {
      stream.giveUp("the controller was not heard in time");
      return;
    }
    PortQueues.Builder all = PortQueues.newBuilder();
    Map<String, DividedPort> divided = ports.divided();
    for (SwitchConfig.Bridge one : config.switches()) {
      for (String port : one.ports()) {
        Optional.ofNullable(divided.get(port))
            .ifPresent(
                held ->
                    all.addPorts(
                        queue(one.device(), port, Optional.of(held), "").toBuilder()
                            .setCounts(counts(held))));
      }
    }
    stream.offer(List.of(AgentMessage.newBuilder().setPorts(all).build()));
  }

  @Override
  public void ended(String reason) {
    if (attached || !everWelcomed) {
      console.say(
          "no controller at "
              + config.controller().text()
              + " ("
              + reason
              + "); ports stay as they are, trying again");
    }
    attached = false;
    loop.after(backoff.next(), this::attach);
  }

  /** Now and each hour: a certificate holds for months. */
  private void renewCertificate() {
    stream.renewCertificate(Instant.now());
    loop.after(BETWEEN_RENEWALS, this::renewCertificate);
  }

  @Override
  public void notRenewed(String reason) {
    console.say("the certificate of (tls) stays what it was: " + reason);
  }

  @Override
  public void close() {
    stream.close();
  }
}
