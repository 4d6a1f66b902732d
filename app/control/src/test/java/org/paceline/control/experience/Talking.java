package org.paceline.control.experience;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Transport;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Granted conversations of a page, a terminal and a call: 1 Mbit/s within 20 ms, predicted 4.5. */
final class Talking {
  static final String PAGE = "web/page";
  static final String TERMINAL = "terminal";
  static final String CALL = "call";
  static final DataRate GRANTED = DataRate.ofKilobitsPerSecond(1_000);

  private static final IntentTree TREE =
      IntentTree.withDefault(
              UtilityFunction.of(
                  "any",
                  List.of(GRANTED),
                  List.of(Latency.ofMillis(20)),
                  List.of(List.of(Utility.of(4.5)))))
          .with(IntentPath.parse("web"), Policy.builder().kpiModel(KpiModel.WEB).build())
          .with(IntentPath.parse(TERMINAL), Policy.builder().kpiModel(KpiModel.SSH).build())
          .with(IntentPath.parse(CALL), Policy.builder().kpiModel(KpiModel.G711).build());

  private Talking() {}

  static Proof proof(String host, String intent, String from, String to) {
    return proof(host, intent, from, to, 0);
  }

  static Proof proof(String host, String intent, String from, String to, int remotePort) {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of(host, intent + remotePort))
            .intent(intent)
            .localAddress(from)
            .remoteAddress(to)
            .transport(Transport.TCP)
            .remotePort(remotePort)
            .build();
    return Proof.of(conversation, TREE.resolve(intent), Instant.EPOCH).toBuilder()
        .state(ConversationState.GRANTED)
        .computed(
            Optional.of(
                Grant.of(
                    conversation.id().toString(),
                    1,
                    GRANTED,
                    Latency.ofMillis(20),
                    Utility.of(4.5),
                    Path.of(List.of("h1", "h2")))))
        .installedAt(Instant.EPOCH)
        .build();
  }

  static Map<String, KpiReading> kpis(Instant at, Object... namesAndValues) {
    Map<String, KpiReading> kpis = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      kpis.put((String) namesAndValues[i], KpiReading.of((Double) namesAndValues[i + 1], at));
    }
    return kpis;
  }
}
