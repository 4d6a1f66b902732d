package org.paceline.control.assurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Proof;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

final class UnknownIntentsTest {
  private final ManualWorker clock = new ManualWorker();
  private final List<AgentInfo> agents = new ArrayList<>();
  private final List<Proof> proofs = new ArrayList<>();
  private IntentTree tree =
      IntentTree.withDefault(
              UtilityFunction.of(
                  "web",
                  List.of(DataRate.ofKilobitsPerSecond(100)),
                  List.of(Latency.ofMillis(10)),
                  List.of(List.of(Utility.MAX))))
          .with(IntentPath.parse("voip/g729"), Policy.INHERIT_ALL);
  private final UnknownIntents unknown = new UnknownIntents(() -> agents, () -> tree, clock);

  @Test
  void aRuleThatNamesAnUnknownIntentIsAnAlarmUntilTheIntentIsMade() {
    attach("h1", "voip/opus", "voip/g729");
    Instant first = clock.instant();
    assertThat(unknown.look(proofs))
        .containsExactly(
            Alarm.ofIntent(
                "voip/opus",
                "The intent (voip/opus) is not in the tree and is named by host h1; its"
                    + " conversations are served as (voip). Maybe create it (paceline:intent-set"
                    + " voip/opus), or change the rules there.",
                first));
    clock.pass(Duration.ofSeconds(9));
    assertThat(unknown.look(proofs)).extracting(Alarm::since).containsExactly(first);
    tree = tree.with(IntentPath.parse("voip/opus"), Policy.INHERIT_ALL);
    assertThat(unknown.look(proofs)).isEmpty();
  }

  @Test
  void oneThatManyNameIsOneAlarmWithSomeOfTheirNames() {
    for (String host : List.of("h5", "h2", "h4", "h1", "h3")) {
      attach(host, "files/nightly");
    }
    assertThat(sentences())
        .singleElement()
        .asString()
        .contains("named by hosts h1, h2, h3 and 2 more;")
        .contains("served as (/)");
    assertThat(unknown.look(proofs))
        .extracting(Alarm::about)
        .containsExactly("intent files/nightly");
  }

  @Test
  void itEndsWhenNobodyNamesItAnyMore() {
    attach("h1", "voip/opus");
    talk("h1", "voip/opus");
    agents.clear();
    assertThat(unknown.look(proofs)).as("still open").hasSize(1);
    proofs.clear();
    assertThat(unknown.look(proofs)).isEmpty();
  }

  @Test
  void whatIsNoPathIsServedByTheRootAndNamedWithoutWhatMovesATerminal() {
    talk("h1", "voip//\u001b[2J");
    assertThat(sentences())
        .containsExactly(
            "The intent (voip//\\u001b[2J) is not in the tree and is named by host h1; its"
                + " conversations are served as (/). Maybe change the rules there.");
    talk("h1", "x".repeat(100));
    assertThat(unknown.look(proofs))
        .extracting(Alarm::intent)
        .allSatisfy(name -> assertThat(name.orElseThrow().length()).isLessThan(70));
  }

  @Test
  void conversationsOfHostsWithoutAnAgentCountToo() {
    talk(ConversationId.ANNOUNCED, "voip/opus");
    assertThat(sentences()).singleElement().asString().contains("named by hosts without an agent;");
  }

  @Test
  void whatIsNotIdentifiedOrWrittenWithASlashIsKnown() {
    talk("h1", "");
    attach("h1", "/", "/voip/g729");
    assertThat(unknown.look(proofs)).isEmpty();
  }

  @Test
  void oneHostThatNamesManyHidesNobodyElses() {
    attach(
        "hostile",
        IntStream.range(0, 5_000)
            .mapToObj(i -> "a" + i)
            .collect(Collectors.toList())
            .toArray(String[]::new));
    attach("h1", "voip/opus");
    List<Alarm> alarms = unknown.look(proofs);
    assertThat(alarms).hasSize(21);
    assertThat(alarms).extracting(Alarm::about).contains("intent voip/opus");
  }

  private List<String> sentences() {
    return unknown.look(proofs).stream().map(Alarm::sentence).collect(Collectors.toList());
  }

  private void attach(String host, String... intents) {
    agents.add(
        AgentInfo.of(host, List.of(), "htb", "test", "test", Instant.EPOCH)
            .naming(List.of(intents)));
  }

  private void talk(String host, String intent) {
    Conversation conversation =
        Conversation.builder()
            .id(ConversationId.of(host, "c" + proofs.size()))
            .intent(intent)
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    proofs.add(Proof.of(conversation, tree.resolve(intent), Instant.EPOCH));
  }
}
