package org.paceline.agent.enforce.htb;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;

/** Reads what {@code nft monitor trace} prints of a packet. */
public final class TraceLine {
  private static final Pattern PACKET =
      Pattern.compile(
          "trace id \\w+ \\w+ (\\S+) \\S+ packet: .*?oif \"([^\"]+)\".*?"
              + " ip6? saddr (\\S+) ip6? daddr (\\S+) .*?"
              + "\\b(tcp|udp) sport (\\d+) (?:tcp|udp) dport (\\d+)\\b(?: tcp flags == (.*?) tcp window)?.*");
  // nft prints names or, told to, the number.
  private static final Pattern OPENING = Pattern.compile("syn|syn( \\| |,)ack|0x0*1?2");

  private TraceLine() {}

  /** The packet's flow and way out, where the line shows a packet traced by our table. */
  public static Optional<FirstPacket> parse(String line, String table) {
    Matcher matcher = PACKET.matcher(line);
    if (!matcher.matches() || !matcher.group(1).equals(table)) {
      return Optional.empty();
    }
    try {
      Transport transport = matcher.group(5).equals("tcp") ? Transport.TCP : Transport.UDP;
      return Optional.of(
          new FirstPacket(
              new Flow(
                  transport,
                  InetAddress.getByName(matcher.group(3)),
                  Integer.parseInt(matcher.group(6)),
                  InetAddress.getByName(matcher.group(4)),
                  Integer.parseInt(matcher.group(7))),
              matcher.group(2),
              OPENING.matcher(Objects.requireNonNullElse(matcher.group(8), "")).matches()));
    } catch (UnknownHostException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
