package org.paceline.agent.enforce.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.sockets.TcpSocket;

/**
 * What is written down of a socket before it is told a rate.
 *
 * @param minor of the class that it is in, on this interface, with this rate
 * @param told what it is told: where it holds something else, somebody else has told it since
 * @param own what it had before any agent
 */
record SocketRecord(
    long cookie, String device, int minor, long classRate, long told, long own, Flow flow) {
  private static final int WORDS = 10;
  private static final Pattern SPACE = Pattern.compile(" ");

  String text() {
    return String.join(
        " ",
        Long.toUnsignedString(cookie),
        device,
        Integer.toString(minor),
        Long.toString(classRate),
        Long.toUnsignedString(told),
        Long.toUnsignedString(own),
        ClassKey.literal(flow.local()),
        Integer.toString(flow.localPort()),
        ClassKey.literal(flow.remote()),
        Integer.toString(flow.remotePort()));
  }

  /** Empty where the line is none, such as one that was cut short. */
  static Optional<SocketRecord> parse(String line) {
    String[] words = SPACE.split(line, -1);
    if (words.length != WORDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SocketRecord(
              Long.parseUnsignedLong(words[0]),
              words[1],
              Integer.parseInt(words[2]),
              Long.parseLong(words[3]),
              Long.parseUnsignedLong(words[4]),
              Long.parseUnsignedLong(words[5]),
              new Flow(
                  Transport.TCP,
                  InetAddress.getByName(words[6]),
                  Integer.parseInt(words[7]),
                  InetAddress.getByName(words[8]),
                  Integer.parseInt(words[9]))));
    } catch (NumberFormatException | IOException e) {
      return Optional.empty();
    }
  }

  /** Whether it is still as it was told. */
  boolean holdsIn(TcpSocket socket) {
    return socket.cookie() == cookie && socket.greatestRate() == told;
  }
}
