package org.paceline.agent.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Programs of the classic packet filter (McCanne and Jacobson 1993; Linux's filter.rst), by which
 * the kernel hands over the few packets that hold names and no others. Offsets count from the IP
 * header.
 */
final class PacketFilter {
  /** How much of a packet is handed over. */
  static final int LONGEST = 4_096;

  private static final int LOAD_WORD = 0x20;
  private static final int LOAD_HALF = 0x28;
  private static final int LOAD_BYTE = 0x30;
  private static final int LOAD_HALF_AT_X = 0x48;
  private static final int LOAD_BYTE_AT_X = 0x50;
  private static final int LOAD_MEMORY = 0x60;
  private static final int LOAD_LENGTH = 0x80;
  private static final int X_IMMEDIATE = 0x01;
  private static final int X_MEMORY = 0x61;
  private static final int X_IPV4_HEADER = 0xb1;
  private static final int STORE = 0x02;
  private static final int STORE_X = 0x03;
  private static final int ADD_X = 0x0c;
  private static final int SUBTRACT_X = 0x1c;
  private static final int AND = 0x54;
  private static final int SHIFT_RIGHT = 0x74;
  private static final int TO_X = 0x07;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_GREATER = 0x25;
  private static final int IF_AT_LEAST = 0x35;
  private static final int IF_SET = 0x45;
  private static final int RETURN = 0x06;

  /** Where the kernel shows which way a packet goes, instead of a byte of it. */
  private static final int DIRECTION = -0x1000 + 4;

  private static final int TO_THIS_HOST = 0;
  private static final int FROM_THIS_HOST = 4;
  private static final int IPV6_HEADER = 40;
  private static final int DNS = 53;
  private static final int HTTPS = 443;
  private static final int PUSH = 0x08;
  // The last part of a first message is short; a longer one is taken for data.
  private static final int MOST_OF_A_REST = 1_000;
  private static final String NEXT = "";
  private static final String TAKE = "take";
  private static final String DROP = "drop";

  private record Line(int code, int value, String yes, String no) {}

  /**
   * As the kernel takes it.
   *
   * @param yes how many instructions are skipped where the condition holds
   */
  record Instruction(short code, byte yes, byte no, int value) {}

  private final List<Line> lines = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();

  private PacketFilter() {}

  /** Questions to DNS that leave, and answers that arrive, by UDP. */
  static List<Instruction> dns() {
    PacketFilter filter = new PacketFilter();
    filter.add(LOAD_WORD, DIRECTION).add(STORE, 0);
    filter.ip(17);
    filter.add(LOAD_MEMORY, 0);
    filter.test(IF_EQUAL, TO_THIS_HOST, "answer", NEXT);
    filter.test(IF_EQUAL, FROM_THIS_HOST, NEXT, DROP);
    filter.add(LOAD_HALF_AT_X, 2).test(IF_EQUAL, DNS, TAKE, DROP);
    filter.label("answer").add(LOAD_HALF_AT_X, 0).test(IF_EQUAL, DNS, TAKE, DROP);
    return filter.end();
  }

  /**
   * First messages of TLS that leave by TCP, on any port; and on port 443 what can be the rest of
   * one: the short end of something that does not begin as TLS does.
   */
  static List<Instruction> tls() {
    PacketFilter filter = new PacketFilter();
    filter.add(LOAD_WORD, DIRECTION).test(IF_EQUAL, FROM_THIS_HOST, NEXT, DROP);
    filter.ip(6);
    filter.add(STORE_X, 1);
    // X becomes the place of the payload: the upper half of a byte counts words.
    filter.add(LOAD_BYTE_AT_X, 12).add(AND, 0xf0).add(SHIFT_RIGHT, 2).add(ADD_X, 0).add(TO_X, 0);
    filter.add(LOAD_BYTE_AT_X, 0).test(IF_EQUAL, 22, NEXT, "rest");
    filter.add(LOAD_BYTE_AT_X, 1).test(IF_EQUAL, 3, NEXT, "short");
    filter.add(LOAD_BYTE_AT_X, 5).test(IF_EQUAL, 1, TAKE, DROP);
    filter.label("rest").test(IF_AT_LEAST, 20, NEXT, "short").test(IF_GREATER, 23, "short", NEXT);
    // One byte may be a key's, where that was cut; with the version it is a record of TLS.
    filter.add(LOAD_BYTE_AT_X, 1).test(IF_EQUAL, 3, DROP, NEXT);
    filter.label("short").add(LOAD_LENGTH, 0).add(SUBTRACT_X, 0);
    filter.test(IF_GREATER, MOST_OF_A_REST, DROP, NEXT);
    filter.add(X_MEMORY, 1).add(LOAD_HALF_AT_X, 2).test(IF_EQUAL, HTTPS, NEXT, DROP);
    filter.add(LOAD_BYTE_AT_X, 13).test(IF_SET, PUSH, TAKE, DROP);
    return filter.end();
  }

  /** The whole packets or first fragments of this protocol; X becomes the end of the IP header. */
  private void ip(int protocol) {
    add(LOAD_BYTE, 0).add(SHIFT_RIGHT, 4);
    test(IF_EQUAL, 4, NEXT, "ipv6");
    add(LOAD_BYTE, 9).test(IF_EQUAL, protocol, NEXT, DROP);
    add(LOAD_HALF, 6).test(IF_SET, 0x1fff, DROP, NEXT);
    add(X_IPV4_HEADER, 0).test(IF_AT_LEAST, 0, "transport", NEXT);
    label("ipv6").test(IF_EQUAL, 6, NEXT, DROP);
    add(LOAD_BYTE, 6).test(IF_EQUAL, protocol, NEXT, DROP);
    add(X_IMMEDIATE, IPV6_HEADER);
    label("transport");
  }

  private PacketFilter add(int code, int value) {
    return test(code, value, NEXT, NEXT);
  }

  private PacketFilter test(int code, int value, String yes, String no) {
    lines.add(new Line(code, value, yes, no));
    return this;
  }

  private PacketFilter label(String name) {
    labels.put(name, lines.size());
    return this;
  }

  private List<Instruction> end() {
    label(TAKE).add(RETURN, LONGEST);
    label(DROP).add(RETURN, 0);
    List<Instruction> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      all.add(
          new Instruction(
              (short) line.code(), skip(i, line.yes()), skip(i, line.no()), line.value()));
    }
    return all;
  }

  private byte skip(int from, String label) {
    return (byte) (labels.getOrDefault(label, from + 1) - from - 1);
  }
}
