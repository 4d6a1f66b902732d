package org.paceline.cli;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.control.Nobody;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Proof;
import org.paceline.control.planning.Plan;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.view.StateView;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Who sends how much in the tests of tables, and the tree by which it is told apart. */
public final class Talkers {
  public static final IntentTree TREE =
      IntentTree.withDefault(
              UtilityFunction.of(
                  "web",
                  List.of(DataRate.ofKilobitsPerSecond(100)),
                  List.of(Latency.ofMillis(10)),
                  List.of(List.of(Utility.MAX))))
          .with(IntentPath.parse("a/b"), Policy.builder().priority(3).build());

  public static final NodeNames NO_NAMES =
      NodeNames.of(
          NetworkState.of(Network.of(Set.of(), List.of()), Map.of(), List.of()), List.of());

  /** What is said of {@link #withOneBesideTheRules}. */
  public static final String NOTE =
      "Host h1 sends beside its agent's rules: 55010 kbit/s that nobody holds; most by iperf3"
          + " (root) to 10.0.0.2. Maybe name it by a rule there, or set its (unmatched: manage).";

  private Talkers() {}

  /** Nobody was granted anything, and so many talk. */
  public static StateView.Builder state(int conversations) {
    return StateView.builder()
        .mode(PlanMode.ENFORCE)
        .plan(Plan.EMPTY)
        .lent(DataRate.ZERO)
        .agents(1)
        .agentsPort("door")
        .conversations(conversations)
        .alarms(0)
        .beside(List.of());
  }

  public static Proof sending(String id, long kbps) {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of("h1", id))
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    return Proof.of(conversation, TREE.resolve(""), Instant.EPOCH).toBuilder()
        .measured(DataRate.ofKilobitsPerSecond(kbps))
        .build();
  }

  public static ProofBook withOneBesideTheRules() {
    ProofBook book = new ProofBook();
    Proof quick = sending("quick", 55_000);
    Conversation whose = quick.conversation().toBuilder().process("iperf3").user("root").build();
    book.put(quick.toBuilder().conversation(whose).build());
    book.put(sending("slow", 10));
    return book;
  }

  public static List<BesideRules.Sender> besideTheRules(ProofBook book) {
    return new BesideRules(book, new Nobody.NoJournal()).senders();
  }
}
