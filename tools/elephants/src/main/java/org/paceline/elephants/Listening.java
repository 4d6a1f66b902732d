package org.paceline.elephants;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.flowrecords.DecodeCounts;
import org.paceline.flowrecords.FlowCollector;
import org.paceline.flowrecords.FlowDecoder;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.flow.FlowRecord;

/** Takes what exporters send, for a while. */
final class Listening {
  private static final Pattern PLACE = Pattern.compile("(?:\\[?([^\\]]+)\\]?:)?(\\d{1,5})");
  private static final int LAST_PORT = 65_535;

  private final InetSocketAddress place;
  private final Set<IpAddress> exporters = new HashSet<>();
  private final PrintStream messages;

  /**
   * @throws Refusal if the place is no port, or an exporter no address
   */
  Listening(String place, List<String> exporters, PrintStream messages) throws Refusal {
    this.place = place(place);
    this.messages = messages;
    for (String exporter : exporters) {
      try {
        this.exporters.add(IpAddress.parse(exporter.trim()));
      } catch (IllegalArgumentException e) {
        throw new Refusal(String.valueOf(e.getMessage()));
      }
    }
  }

  private static InetSocketAddress place(String text) throws Refusal {
    Matcher place = PLACE.matcher(text);
    if (place.matches() && Integer.parseInt(place.group(2)) <= LAST_PORT) {
      int port = Integer.parseInt(place.group(2));
      try {
        return place.group(1) == null
            ? new InetSocketAddress(port)
            : new InetSocketAddress(IpAddress.parse(place.group(1)).toString(), port);
      } catch (IllegalArgumentException e) {
        // Refused below, with all others.
      }
    }
    throw new Refusal(
        "there is no listening at " + Quoted.of(text) + ". Maybe 2055, or 10.0.0.1:2055.");
  }

  /**
   * Hands on all records until the time is over.
   *
   * @throws Refusal if the port cannot be had
   */
  void run(Consumer<FlowRecord> sink, Optional<Duration> time, Interruption end) throws Refusal {
    FlowDecoder decoder = new FlowDecoder(sink);
    FlowCollector collector;
    try {
      collector =
          FlowCollector.open(
              place,
              exporters,
              decoder,
              bug -> messages.println("paceline elephants: a datagram is left out: " + bug));
    } catch (IOException e) {
      throw new Refusal("the port " + place + " cannot be had: " + e.getMessage());
    }
    boolean isInterrupted;
    try (collector) {
      messages.println(
          "paceline elephants: listening at UDP port "
              + collector.port()
              + time.map(t -> " for " + t.toMillis() / 1_000.0 + " s").orElse(", end with Ctrl-C"));
      isInterrupted = end.await(time);
    }
    DecodeCounts counts = decoder.counts();
    messages.printf(
        Locale.ROOT,
        "paceline elephants: until %s: %,d datagrams with %,d records; by the exporters' sequence %,d records"
            + " and %,d datagrams were lost; %,d datagrams malformed, %,d sets without their"
            + " template, %,d records incomplete, %,d datagrams of others%n",
        isInterrupted ? "Ctrl-C" : "the time was over",
        counts.datagrams(),
        counts.records(),
        counts.lostRecords(),
        counts.lostDatagrams(),
        counts.malformed(),
        counts.unknownTemplates(),
        counts.incomplete(),
        collector.refused());
  }
}
