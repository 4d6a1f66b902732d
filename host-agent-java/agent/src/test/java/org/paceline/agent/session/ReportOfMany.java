package org.paceline.agent.session;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.ConversationKey;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.intents.tree.IntentPath;

/** Many open conversations, with counters as large as they come. */
final class ReportOfMany {
  private ReportOfMany() {}

  static Map<Conversation, ClassStatistics> statistics(int conversations) {
    Conversations open = new Conversations("mibxz1q7", conversations);
    InetAddress host = InetAddress.getLoopbackAddress();
    Map<Conversation, ClassStatistics> statistics = new HashMap<>();
    for (int i = 1; i <= conversations; i++) {
      Flow flow = new Flow(Transport.TCP, host, 80, host, i);
      Conversation one =
          open.open(
                  ConversationKey.of(IntentPath.parse("a/b"), Rule.Grouping.SOCKET, flow),
                  "eth0",
                  ClassKey.of(flow, RuleSet.Coverage.SOCKET),
                  new SocketFacts(flow, ProcessInfo.UNKNOWN, Optional.empty(), Optional.empty()),
                  Optional.empty(),
                  0,
                  0)
              .orElseThrow();
      open.join(one, flow);
      statistics.put(
          one,
          new ClassStatistics(
              one.minor(),
              ClassRate.of(10_000_000_000L),
              Long.MAX_VALUE - i,
              Long.MAX_VALUE - i,
              i,
              i));
    }
    return statistics;
  }
}
