package org.paceline.gateway;

import java.util.Optional;
import java.util.stream.Stream;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Resumption;

/**
 * How much one agent may say: far beyond what a host needs, and little enough that none of them
 * takes the memory or the time that others need. What is beyond is refused, and the stream goes on.
 */
final class AgentBounds {
  /** Characters of an id, a path of an intent, and of whatever else is compared. */
  static final int LONGEST_NAME = 256;

  /** Characters of what is shown to people, such as a process; the rest is cut off. */
  static final int LONGEST_TEXT = 512;

  /** Conversations that are open on one host, each way. */
  static final int MOST_CONVERSATIONS = 20_000;

  static final int MOST_ADDRESSES = 1_000;
  static final int MOST_INTENTS = 10_000;
  static final int MOST_PORTS = 1_000;
  static final int MOST_PEERS = 10_000;

  private AgentBounds() {}

  /** Why a Hello is more than any agent of ours says. */
  static Optional<String> tooMuch(Hello hello) {
    return Stream.of(
            most("addresses", hello.getAddressesCount(), MOST_ADDRESSES),
            most("intents", hello.getIntentsCount(), MOST_INTENTS),
            most("ports", hello.getPortsCount(), MOST_PORTS),
            // Of 32 bits without a sign, which Java takes for one with it.
            most("peers", Integer.toUnsignedLong(hello.getPeerAgreement().getPeers()), MOST_PEERS),
            most("conversations", hello.getConversationsCount(), MOST_CONVERSATIONS),
            most("incoming conversations", hello.getIncomingCount(), MOST_CONVERSATIONS),
            tooLong("host id", hello.getHostId()),
            hello.getIntentsList().stream()
                .flatMap(intent -> tooLong("intent", intent).stream())
                .findFirst())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Why what a Hello with digests had left to say is more than any agent of ours says. */
  static Optional<String> tooMuch(Resumption rest) {
    return most("conversations", rest.getConversationsCount(), MOST_CONVERSATIONS);
  }

  /**
   * @throws IllegalArgumentException where something of it is too long
   */
  static void check(ConversationOpened opened) {
    Stream.of(
            tooLong("id", opened.getId()),
            tooLong("intent", opened.getIntent()),
            tooLong("interface", opened.getInterface()))
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
  }

  /**
   * @param open how many are open already, without the new one
   * @throws IllegalArgumentException where there is no room for one more
   */
  static void checkRoom(int open) {
    if (open >= MOST_CONVERSATIONS) {
      throw new IllegalArgumentException(
          "There are ("
              + open
              + ") conversations open on the host, and at most that many are allowed. Maybe put"
              + " more sockets into one conversation, by a rule's (group).");
    }
  }

  /** As much of it as is shown. */
  static String shown(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  private static Optional<String> most(String what, long many, int most) {
    return many <= most
        ? Optional.empty()
        : Optional.of(
            "The agent names ("
                + many
                + ") "
                + what
                + " at once, and at most ("
                + most
                + ") are allowed. Maybe install the agent that came with this controller.");
  }

  private static Optional<String> tooLong(String what, String name) {
    return name.length() <= LONGEST_NAME
        ? Optional.empty()
        : Optional.of(
            "The "
                + what
                + " ("
                + name.substring(0, LONGEST_NAME / 4)
                + "...) has ("
                + name.length()
                + ") characters, and at most ("
                + LONGEST_NAME
                + ") are allowed. Maybe install the agent that came with this controller.");
  }
}
