package org.paceline.agent.daemon;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.paceline.agent.config.SwitchConfig;
import org.paceline.agent.ports.DividedPort;
import org.paceline.agent.ports.PortDivider;
import org.paceline.agent.ports.PortShares;
import org.paceline.agent.runtime.Console;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.agent.runtime.ExitCode;
import org.paceline.agent.session.SwitchSession;

/**
 * Divides ports of the switches on this machine as the controller says. Nothing is changed before
 * it says so, and a stop leaves the ports as they were found. One thread owns all of this.
 */
public final class SwitchAgent implements Closeable {
  private static final int KILO = 1_000;

  private final SwitchConfig config;
  private final EventLoop loop;
  private final PortDivider ports;
  private final SwitchSession session;

  public SwitchAgent(SwitchConfig config, int protocolVersion, Console console) throws IOException {
    this.config = config;
    this.loop = new EventLoop(console, () -> Runtime.getRuntime().halt(ExitCode.FAULT));
    this.ports = new PortDivider(config.buffers());
    this.session = new SwitchSession(config, protocolVersion, console, loop, ports);
  }

  /** Completes with the reason when a person has to put something right. */
  public CompletableFuture<String> refused() {
    return session.refused();
  }

  public void start() {
    loop.soon(session::attach);
    loop.every(config.reportInterval(), session::report);
  }

  /** For a person; asked from another thread. */
  public String status() {
    return loop.ask(
        () -> {
          try {
            return text(ports.divided());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private String text(Map<String, DividedPort> divided) {
    StringBuilder text = new StringBuilder();
    text.append("switch agent ")
        .append(config.hostId())
        .append(", controller ")
        .append(config.controller().text())
        .append(session.isAttached() ? " attached" : " away")
        .append('\n');
    for (SwitchConfig.Bridge one : config.switches()) {
      for (String port : one.ports()) {
        text.append(one.device())
            .append(' ')
            .append(port)
            .append(": ")
            .append(
                Optional.ofNullable(divided.get(port)).map(SwitchAgent::text).orElse("one queue"))
            .append('\n');
      }
    }
    return text.append(session.notAllowed().isEmpty() ? "" : session.notAllowed() + "\n")
        .toString();
  }

  private static String text(DividedPort port) {
    PortShares shares = port.shares();
    return shares.elephantsBitsPerSecond() / KILO
        + " kbit/s for elephants (DSCP "
        + shares.dscp()
        + "), "
        + shares.othersBitsPerSecond() / KILO
        + " kbit/s for others; dropped "
        + port.elephants().droppedPackets()
        + " and "
        + port.others().droppedPackets();
  }

  /** Every port is one queue again. */
  @Override
  public void close() throws IOException {
    loop.end(
        () -> {
          session.close();
          ports.close();
        });
  }
}
