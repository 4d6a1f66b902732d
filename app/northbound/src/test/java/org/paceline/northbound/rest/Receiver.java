package org.paceline.northbound.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.northbound.rest.view.Json;

/** A web server that keeps what it is told, and may refuse it or take its time. */
final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Message> messages = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile CountDownLatch free = new CountDownLatch(0);

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  static WebhookEvent event(int number) {
    return WebhookEvent.of("evt_" + number, Webhook.Kind.POLICY, "{\"type\":\"policy.changed\"}");
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/paceline";
  }

  void refuse(int many) {
    refusals.set(many);
  }

  void hold() {
    free = new CountDownLatch(1);
  }

  void release() {
    free.countDown();
  }

  private void take(HttpExchange exchange) throws IOException {
    messages.add(new Message(exchange));
    try {
      free.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
    boolean refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    exchange.sendResponseHeaders(refused ? 500 : 204, -1);
    exchange.close();
  }

  List<Message> messages() {
    return List.copyOf(messages);
  }

  /** In the order of their first coming. */
  List<String> ids() {
    return messages.stream().map(one -> one.id).distinct().collect(Collectors.toList());
  }

  /** Of each message once. */
  List<String> types() {
    return ids().stream()
        .map(id -> messages.stream().filter(one -> one.id.equals(id)).findFirst().orElseThrow())
        .map(one -> Json.parse(one.body).path("type").asText())
        .collect(Collectors.toList());
  }

  @Override
  public void close() {
    release();
    server.stop(0);
    threads.shutdownNow();
  }

  /** What came. */
  static final class Message {
    final String id;
    final String body;
    private final String time;
    private final String signature;

    private Message(HttpExchange exchange) throws IOException {
      id = exchange.getRequestHeaders().getFirst("webhook-id");
      time = exchange.getRequestHeaders().getFirst("webhook-timestamp");
      signature = exchange.getRequestHeaders().getFirst("webhook-signature");
      body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    boolean isSignedWith(String secret) throws GeneralSecurityException {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
      byte[] expected =
          mac.doFinal((id + "." + time + "." + body).getBytes(StandardCharsets.UTF_8));
      return signature.equals("v1," + Base64.getEncoder().encodeToString(expected));
    }
  }
}
