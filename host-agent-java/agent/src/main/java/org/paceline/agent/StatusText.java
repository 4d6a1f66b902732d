package org.paceline.agent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.paceline.agent.conversation.Conversation;

/** A table of conversations for a person. */
final class StatusText {
  private static final String ROW = "%-14s %-32s %-46s %10s %10s %10s %8s%n";

  private StatusText() {}

  static String of(
      List<String> head,
      Collection<Conversation> conversations,
      ToLongFunction<Conversation> installed) {
    StringBuilder text = new StringBuilder();
    head.forEach(line -> text.append(line).append('\n'));
    if (!conversations.isEmpty()) {
      text.append(
          String.format(
              ROW,
              "conversation",
              "intent",
              "between",
              "granted",
              "installed",
              "measured",
              "sockets"));
    }
    List<Conversation> ordered = new ArrayList<>(conversations);
    ordered.sort((a, b) -> Long.compare(b.measuredBitsPerSecond(), a.measuredBitsPerSecond()));
    for (Conversation one : ordered) {
      text.append(
          String.format(
              ROW,
              one.id(),
              one.key().intent(),
              one.key().local().getHostAddress() + " -> " + one.key().remote().getHostAddress(),
              one.grantedBitsPerSecond() == 0 ? "-" : kbit(one.grantedBitsPerSecond()),
              kbit(installed.applyAsLong(one)),
              kbit(one.measuredBitsPerSecond()),
              one.flows().size()));
    }
    return text.append(conversations.size()).append(" conversations; rates in kbit/s\n").toString();
  }

  private static String kbit(long bitsPerSecond) {
    return String.format(Locale.ROOT, "%.1f", bitsPerSecond / 1e3);
  }
}
