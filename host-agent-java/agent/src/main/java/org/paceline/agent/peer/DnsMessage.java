package org.paceline.agent.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A question to DNS, or its answer with what is needed of it (RFC 1035, 3596): one question of
 * class IN, the aliases that lead on from its name, and the addresses at their end. Whatever the
 * bytes are, reading them ends, and gives nothing where they are no such message.
 *
 * @param answer whether it is one; a question has no aliases and no addresses
 * @param seconds for how long the whole answer holds
 */
record DnsMessage(
    int id,
    boolean answer,
    String question,
    List<String> aliases,
    List<InetAddress> addresses,
    long seconds) {
  private static final int HEADER = 12;
  private static final int RESPONSE = 0x8000;
  // Another kind of question, or an error.
  private static final int OPCODE_AND_ERROR = 0x780f;
  private static final int INTERNET = 1;
  private static final int A = 1;
  private static final int CNAME = 5;
  private static final int AAAA = 28;
  private static final int MOST_RECORDS = 64;
  private static final int MOST_ALIASES = 16;
  private static final int MOST_JUMPS = 64;
  private static final int POINTER = 0xc0;

  /**
   * @param end where the name ends in the message
   */
  private record Name(String text, int end) {}

  private record Address(String owner, InetAddress address, long seconds) {}

  private record Alias(String target, long seconds) {}

  static Optional<DnsMessage> parse(ByteBuffer bytes) {
    ByteBuffer message = bytes.slice();
    if (message.limit() < HEADER) {
      return Optional.empty();
    }
    int flags = Short.toUnsignedInt(message.getShort(2));
    boolean answer = (flags & RESPONSE) != 0;
    Optional<Name> question = name(message, HEADER);
    if ((flags & OPCODE_AND_ERROR) != 0 || message.getShort(4) != 1 || question.isEmpty()) {
      return Optional.empty();
    }
    int after = question.get().end() + 4;
    if (after > message.limit() || message.getShort(after - 2) != INTERNET) {
      return Optional.empty();
    }
    int id = Short.toUnsignedInt(message.getShort(0));
    return HostName.of(question.get().text())
        .map(
            name ->
                answer
                    ? answer(message, id, name, after)
                    : new DnsMessage(id, false, name, List.of(), List.of(), 0));
  }

  /** As many records as there are; what is wrong with one ends them. */
  private static DnsMessage answer(ByteBuffer message, int id, String question, int first) {
    Map<String, Alias> aliases = new HashMap<>();
    List<Address> addresses = new ArrayList<>();
    int records = Math.min(MOST_RECORDS, Short.toUnsignedInt(message.getShort(6)));
    int at = first;
    for (int i = 0; i < records; i++) {
      Optional<Name> owner = name(message, at);
      int fixed = owner.map(Name::end).orElse(message.limit());
      if (owner.isEmpty() || fixed + 10 > message.limit()) {
        break;
      }
      int type = Short.toUnsignedInt(message.getShort(fixed));
      long seconds = Math.max(0, message.getInt(fixed + 4));
      int length = Short.toUnsignedInt(message.getShort(fixed + 8));
      int data = fixed + 10;
      at = data + length;
      if (at > message.limit()) {
        break;
      }
      if (message.getShort(fixed + 2) != INTERNET) {
        continue;
      }
      String of = owner.get().text();
      if (type == CNAME) {
        name(message, data)
            .flatMap(target -> HostName.of(target.text()))
            .ifPresent(target -> aliases.put(of, new Alias(target, seconds)));
      } else if ((type == A && length == 4) || (type == AAAA && length == 16)) {
        addresses.add(new Address(of, address(message, data, length), seconds));
      }
    }
    return follow(id, question, aliases, addresses);
  }

  private static DnsMessage follow(
      int id, String question, Map<String, Alias> aliases, List<Address> addresses) {
    List<String> chain = new ArrayList<>();
    String end = question;
    long seconds = Integer.MAX_VALUE;
    while (aliases.containsKey(end) && chain.size() < MOST_ALIASES) {
      Alias alias = aliases.get(end);
      end = alias.target();
      seconds = Math.min(seconds, alias.seconds());
      chain.add(end);
    }
    List<InetAddress> found = new ArrayList<>();
    for (Address one : addresses) {
      if (one.owner().equals(end)) {
        found.add(one.address());
        seconds = Math.min(seconds, one.seconds());
      }
    }
    return new DnsMessage(id, true, question, chain, found, seconds);
  }

  /** In lower case. Each pointer leads further towards the beginning, so that this ends. */
  private static Optional<Name> name(ByteBuffer message, int start) {
    StringBuilder text = new StringBuilder();
    int at = start;
    int lowest = start;
    int end = -1;
    int jumps = 0;
    while (at < message.limit() && text.length() <= HostName.LONGEST) {
      int length = Byte.toUnsignedInt(message.get(at));
      if (length == 0) {
        return Optional.of(new Name(text.toString(), end < 0 ? at + 1 : end));
      }
      if ((length & POINTER) == POINTER) {
        if (at + 1 >= message.limit() || ++jumps > MOST_JUMPS) {
          return Optional.empty();
        }
        int target = Short.toUnsignedInt(message.getShort(at)) & 0x3fff;
        end = end < 0 ? at + 2 : end;
        if (target >= lowest) {
          return Optional.empty();
        }
        lowest = target;
        at = target;
      } else if (length > 63 || at + 1 + length > message.limit()) {
        return Optional.empty();
      } else {
        text.append(text.length() == 0 ? "" : ".");
        for (int i = at + 1; i <= at + length; i++) {
          char c = (char) Byte.toUnsignedInt(message.get(i));
          text.append(c >= 'A' && c <= 'Z' ? (char) (c + 'a' - 'A') : c);
        }
        at += 1 + length;
      }
    }
    return Optional.empty();
  }

  private static InetAddress address(ByteBuffer message, int at, int length) {
    byte[] address = new byte[length];
    message.get(at, address);
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of a length that no address has", e);
    }
  }
}
