package org.paceline.agent.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.intents.tree.IntentPath;

class ConversationsTest {
  private final Conversations conversations = new Conversations("t", 2);
  private int port;

  @Test
  void aNumberIsGivenAgainOnceItHasRested() {
    long begun = System.nanoTime();
    Conversation first = open(begun).orElseThrow();
    conversations.close(first);

    // However late it is: at that moment none had rested.
    assertThat(open(begun).orElseThrow().minor()).isNotEqualTo(first.minor());
    assertThat(open(System.nanoTime() + Duration.ofMinutes(1).toNanos()).orElseThrow().minor())
        .isEqualTo(first.minor());
  }

  @Test
  void ofNumbersThatHaveRestedTheLatestIsGivenFirstForItsClassMayStillBeThere() {
    Conversation first = open(System.nanoTime()).orElseThrow();
    Conversation second = open(System.nanoTime()).orElseThrow();
    conversations.close(first);
    conversations.close(second);
    long rested = System.nanoTime() + Duration.ofSeconds(3).toNanos();

    assertThat(open(rested).orElseThrow().minor()).isEqualTo(second.minor());
    assertThat(open(rested).orElseThrow().minor()).isEqualTo(first.minor());
    assertThat(open(rested)).isEmpty();
  }

  @Test
  void whereAllNumbersAreTakenTheLongestFreedIsGivenAtOnce() {
    long begun = System.nanoTime();
    Conversation first = open(begun).orElseThrow();
    Conversation second = open(begun).orElseThrow();
    assertThat(open(begun)).isEmpty();
    conversations.close(second);
    conversations.close(first);

    assertThat(open(begun).orElseThrow().minor()).isEqualTo(second.minor());
  }

  private Optional<Conversation> open(long nanos) {
    InetAddress address = InetAddress.getLoopbackAddress();
    Flow flow = new Flow(Transport.TCP, address, ++port, address, 443);
    return conversations.open(
        ConversationKey.of(IntentPath.parse("web"), Rule.Grouping.SOCKET, flow),
        "eth0",
        ClassKey.of(flow, RuleSet.Coverage.SOCKET),
        new SocketFacts(flow, ProcessInfo.UNKNOWN, Optional.empty(), Optional.empty()),
        Optional.empty(),
        0,
        nanos);
  }
}
