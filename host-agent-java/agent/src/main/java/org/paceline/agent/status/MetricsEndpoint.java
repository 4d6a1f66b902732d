package org.paceline.agent.status;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.paceline.agent.runtime.CannotRunYet;

/** Answers Prometheus as long as the process runs; nothing is kept between two questions. */
public final class MetricsEndpoint implements Closeable {
  private final PrometheusRegistry registry;
  private final HTTPServer server;

  private MetricsEndpoint(PrometheusRegistry registry, HTTPServer server) {
    this.registry = registry;
    this.server = server;
  }

  /**
   * Takes the address, with nothing to show yet.
   *
   * @throws CannotRunYet where it cannot be had
   */
  public static MetricsEndpoint open(InetSocketAddress address) {
    PrometheusRegistry registry = new PrometheusRegistry();
    // One at a time: whoever asks often waits, and the agent's memory does not grow.
    ExecutorService one =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "metrics");
              thread.setDaemon(true);
              return thread;
            });
    try {
      HTTPServer server =
          HTTPServer.builder()
              .inetAddress(address.getAddress())
              .port(address.getPort())
              .executorService(one)
              .registry(registry)
              .buildAndStart();
      return new MetricsEndpoint(registry, server);
    } catch (IOException e) {
      one.shutdown();
      throw new CannotRunYet(
          "The address ("
              + address.getAddress().getHostAddress()
              + ":"
              + address.getPort()
              + ") of (metrics) cannot be had: "
              + e.getMessage()
              + ". Maybe another program listens there: choose another port.");
    }
  }

  public void show(Supplier<AgentStatus> view) {
    registry.register(() -> Metrics.of(view.get()));
  }

  @Override
  public void close() {
    server.close();
  }
}
