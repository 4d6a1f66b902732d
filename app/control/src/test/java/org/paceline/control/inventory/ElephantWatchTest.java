package org.paceline.control.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Example;
import org.paceline.allocator.elephant.PrefixLengths;
import org.paceline.allocator.elephant.PrefixPair;
import org.paceline.allocator.elephant.QueueSplitRule;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.settings.ElephantSettings;
import org.paceline.control.settings.FoundPairs;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** An elephant sends 20 MB within 5 s; files may become one, calls may not. */
final class ElephantWatchTest {
  private static final IntentPath FILES = IntentPath.parse("files");
  private static final IntentTree TREE =
      IntentTree.withDefault(
              UtilityFunction.of(
                  "any",
                  List.of(DataRate.ofKilobitsPerSecond(100)),
                  List.of(Latency.ofMillis(100)),
                  List.of(List.of(Utility.of(3)))))
          .with(FILES, Policy.INHERIT_ALL)
          .with(IntentPath.parse("calls"), Policy.INHERIT_ALL);

  private final ElephantWatch watch = new ElephantWatch(settings(List.of(FILES)));
  private final Conversation copy = conversation("copy", "files/copy");

  private static ElephantSettings settings(List<IntentPath> branches) {
    return ElephantSettings.of(
        QueueSplitRule.DEFAULT, branches, List.of(), 20_000_000, Duration.ofSeconds(5));
  }

  private static Conversation conversation(String id, String intent) {
    return Conversation.builder()
        .id(ConversationId.of("h", id))
        .intent(intent)
        .localAddress("10.0.0.1")
        .remoteAddress("10.0.0.2")
        .build();
  }

  private static EffectivePolicy policy(Conversation of) {
    return TREE.resolve(of.intent());
  }

  private boolean counted(Conversation of, int second, long megabytes) {
    return watch.counted(
        Instant.EPOCH.plusSeconds(second),
        Counters.of(
            of.id(), megabytes * 1_000_000, 0, 1, DataRate.ZERO, Map.of(), Optional.empty()),
        policy(of));
  }

  private SchemeName scheme(Conversation of) {
    return watch.ruling(of, policy(of)).scheme().value();
  }

  @Example
  void whoSendsMuchAtOnceIsAnElephantFromThenOn() {
    assertThat(counted(copy, 0, 500)).as("what was sent before is not known to be quick").isFalse();
    assertThat(counted(copy, 1, 510)).isFalse();
    assertThat(scheme(copy)).isEqualTo(SchemeName.UTILITY_FAIR);
    assertThat(counted(copy, 2, 520)).isTrue();
    assertThat(scheme(copy)).isEqualTo(SchemeName.ELEPHANT_ISOLATION);
    assertThat(counted(copy, 3, 530)).as("it was found already").isFalse();
    for (int second = 4; second < 100; second++) {
      counted(copy, second, 530);
    }
    assertThat(scheme(copy)).isEqualTo(SchemeName.ELEPHANT_ISOLATION);
    watch.forget(copy.id());
    assertThat(scheme(copy)).isEqualTo(SchemeName.UTILITY_FAIR);
  }

  @Example
  void whoSendsAsMuchInALongerTimeIsNone() {
    for (int second = 0; second < 100; second++) {
      assertThat(counted(copy, second, 3L * second)).isFalse();
    }
  }

  @Example
  void whoseAddressesAreListedIsOneFromTheStart() {
    Conversation call = conversation("call", "calls/one");
    watch.goBy(listing("10.0.0.0/24", "10.0.0.2/32"));
    assertThat(scheme(call)).isEqualTo(SchemeName.ELEPHANT_ISOLATION);
    watch.goBy(listing("10.0.0.2/32", "10.0.0.0/24"));
    assertThat(scheme(call)).as("the other way").isEqualTo(SchemeName.UTILITY_FAIR);
    watch.goBy(listing("fd00::/8", "fd00::/8"));
    assertThat(scheme(call)).isEqualTo(SchemeName.UTILITY_FAIR);
  }

  /** The tree's own word stands against a list that nobody has read. */
  @Example
  void whoWasFoundByFlowRecordsIsOneWhereTheBranchAsksForNothingElse() {
    Conversation call = conversation("call", "calls/one");
    FoundPairs found =
        FoundPairs.of(
            PrefixLengths.HOSTS,
            Set.of(
                PrefixPair.of(
                    AddressPrefix.parse("10.0.0.1/32"), AddressPrefix.parse("10.0.0.2/32"))));
    assertThat(watch.goBy(settings(List.of()).with(found))).isTrue();
    assertThat(scheme(call)).isEqualTo(SchemeName.ELEPHANT_ISOLATION);
    EffectivePolicy classes = policy(call).ruledBy(SchemeName.SERVICE_CLASSES);
    assertThat(watch.ruling(call, classes).scheme().value()).isEqualTo(SchemeName.SERVICE_CLASSES);
    assertThat(watch.goBy(settings(List.of()).with(found))).as("the same").isFalse();
    assertThat(watch.goBy(settings(List.of()))).isTrue();
    assertThat(scheme(call)).isEqualTo(SchemeName.UTILITY_FAIR);
  }

  private static ElephantSettings listing(String source, String destination) {
    PrefixPair pair = PrefixPair.of(AddressPrefix.parse(source), AddressPrefix.parse(destination));
    return ElephantSettings.of(
        QueueSplitRule.DEFAULT, List.of(), List.of(pair), 20_000_000, Duration.ofSeconds(5));
  }

  @Example
  void countersThatBeginAnewAreNoElephant() {
    counted(copy, 0, 30);
    assertThat(counted(copy, 1, 0)).isFalse();
    assertThat(counted(copy, 2, 19)).isFalse();
    assertThat(counted(copy, 3, 20)).isTrue();
  }

  @Example
  void callsStayWhatTheyAreAndSoDoFilesWhenTheOperatorSaysSo() {
    Conversation call = conversation("call", "calls/one");
    counted(call, 0, 0);
    assertThat(counted(call, 1, 100)).isFalse();
    counted(copy, 0, 0);
    assertThat(counted(copy, 1, 100)).isTrue();
    assertThat(watch.goBy(settings(List.of()))).isTrue();
    assertThat(scheme(copy)).isEqualTo(SchemeName.UTILITY_FAIR);
    assertThat(watch.isWatching()).isFalse();
  }
}
