package org.paceline.client;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells the agent of this host what this process does. All of it holds as long as the connection:
 * closing takes it back. Every method waits for the agent's answer.
 */
public final class PacelineClient implements AutoCloseable {
  private static final Gson GSON = new Gson();

  private final SocketChannel channel;
  private final BufferedReader answers;
  private final OutputStream requests;

  private PacelineClient(SocketChannel channel) {
    this.channel = channel;
    this.answers =
        new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8.newDecoder(), -1));
    this.requests = Channels.newOutputStream(channel);
  }

  /** What the agent did not agree to; its words say why. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  /**
   * @param socket as the agent's configuration names it under {@code applications}
   */
  public static PacelineClient connect(Path socket) throws IOException {
    return new PacelineClient(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
  }

  /** All sockets that this process has and will have serve this intent. */
  public void claim(String intent) throws IOException {
    ask(claimOf(intent));
  }

  /** This connected TCP socket serves this intent, whatever the process as a whole does. */
  public void claim(String intent, Socket tcp) throws IOException {
    claim(
        intent,
        "tcp",
        new InetSocketAddress(tcp.getLocalAddress(), tcp.getLocalPort()),
        Optional.of(new InetSocketAddress(tcp.getInetAddress(), tcp.getPort())));
  }

  /** What this UDP socket sends, connected or to many peers, serves this intent. */
  public void claim(String intent, DatagramSocket udp) throws IOException {
    claim(
        intent,
        "udp",
        new InetSocketAddress(udp.getLocalAddress(), udp.getLocalPort()),
        Optional.ofNullable(udp.getInetAddress())
            .map(peer -> new InetSocketAddress(peer, udp.getPort())));
  }

  private void claim(
      String intent, String protocol, InetSocketAddress local, Optional<InetSocketAddress> remote)
      throws IOException {
    JsonObject socket = new JsonObject();
    socket.addProperty("protocol", protocol);
    socket.addProperty("local", text(local));
    remote.ifPresent(end -> socket.addProperty("remote", text(end)));
    JsonObject claim = claimOf(intent);
    claim.add("socket", socket);
    ask(claim);
  }

  /** What this process has measured itself, by name, such as {@code rtt_ms}; the latest counts. */
  public void report(Map<String, Double> kpis) throws IOException {
    JsonObject request = request("report");
    request.add("kpis", GSON.toJsonTree(kpis));
    ask(request);
  }

  /** What was granted to the conversations of the sockets that this connection has claimed. */
  public List<Grant> grants() throws IOException {
    List<Grant> grants = new ArrayList<>();
    for (JsonElement element : ask(request("grants")).getAsJsonArray("conversations")) {
      JsonObject one = element.getAsJsonObject();
      grants.add(
          new Grant(
              one.get("id").getAsString(),
              one.get("intent").getAsString(),
              one.get("local").getAsString(),
              one.get("remote").getAsString(),
              one.get("granted_bits_per_second").getAsLong(),
              one.get("installed_bits_per_second").getAsLong(),
              one.get("measured_bits_per_second").getAsLong()));
    }
    return grants;
  }

  private static JsonObject claimOf(String intent) {
    JsonObject claim = request("claim");
    claim.addProperty("intent", intent);
    return claim;
  }

  private static JsonObject request(String what) {
    JsonObject request = new JsonObject();
    request.addProperty("do", what);
    return request;
  }

  private static String text(InetSocketAddress end) {
    String address = end.getAddress().getHostAddress().replaceFirst("%.*", "");
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + end.getPort();
  }

  private synchronized JsonObject ask(JsonObject request) throws IOException {
    requests.write((GSON.toJson(request) + "\n").getBytes(StandardCharsets.UTF_8));
    String line =
        Optional.ofNullable(answers.readLine())
            .orElseThrow(() -> new IOException("The agent has ended the connection."));
    JsonObject answer;
    try {
      answer = JsonParser.parseString(line).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException("The agent's answer (" + line + ") is no JSON object.", e);
    }
    if (answer.has("error")) {
      throw new RefusedException(answer.get("error").getAsString());
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
