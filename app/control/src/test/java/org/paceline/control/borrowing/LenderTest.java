package org.paceline.control.borrowing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.Nobody;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.port.PlannerPorts;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/** Who is lent, who borrows, and who of them first: of 10 Mbit/s each has one. */
final class LenderTest {
  private static final PoolId POOL = PoolId.of("h", "eth0");
  private static final DataRate GRANTED = DataRate.ofKilobitsPerSecond(1_000);
  private static final PlannerSettings SETTINGS =
      PlannerSettings.DEFAULT.toBuilder().usableThousandths(1_000).reserveThousandths(0).build();

  private final ManualWorker worker = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final Map<ConversationId, Grant> grants = new TreeMap<>();
  private final Map<ConversationId, Conversation> open = new HashMap<>();
  private IntentTree tree = IntentTree.withDefault(reaching("web", 2));

  private final Lender lender =
      new Lender(
          PlannerPorts.builder()
              .network(() -> NetworkState.of(network(), Map.of(), List.of()))
              .rates(new Nobody.NoRates())
              .paths(new Nobody.NoPaths())
              .worker(worker)
              .solving(worker::execute)
              .improving(worker::execute)
              .hosts(new Nobody.NoHosts())
              .clock(worker)
              .journal(new Nobody.NoJournal())
              .build(),
          book);

  @Test
  void whoeverAnAgentHoldsIsLentAndWhoHasAPoolOrAMeterIsNot() {
    add("agent", Enforcement.AGENT, false, "");
    add("receiver", Enforcement.RECEIVER, false, "");
    add("pooled", Enforcement.AGENT, true, "");
    add("metered", Enforcement.FIRST_HOP, false, "");
    add("quarantined", Enforcement.QUARANTINE, false, "");
    assertThat(loans().rates()).containsOnlyKeys(id("agent"), id("receiver"));
    assertThat(proof("agent").lent()).isEqualTo(loans().to(id("agent")));
  }

  @Test
  void onlyThoseOfUtilityFunctionsAreLentAndNoMoreThanTheirIntentAllows() {
    policy("fixed", Policy.builder().scheme(SchemeName.FIXED_RATE).maximumRate(GRANTED.times(5)));
    policy("class", Policy.builder().scheme(SchemeName.SERVICE_CLASSES));
    policy("bounded", Policy.builder().maximumRate(DataRate.ofKilobitsPerSecond(1_500)));
    add("fixed", Enforcement.AGENT, false, "fixed");
    add("class", Enforcement.AGENT, false, "class");
    add("bounded", Enforcement.AGENT, false, "bounded");
    assertThat(loans().rates()).containsOnlyKeys(id("bounded"));
    assertThat(loans().to(id("bounded")).millibitsPerSecond())
        .isBetween(490_000_000L, 500_000_000L);
  }

  @Test
  void thoseOfAPoolBorrowUnlessTheirRateIsFixed() {
    policy("fixed", Policy.builder().scheme(SchemeName.FIXED_RATE).maximumRate(GRANTED.times(5)));
    policy("class", Policy.builder().scheme(SchemeName.SERVICE_CLASSES));
    policy("full", Policy.builder().maximumRate(GRANTED));
    add("plain", Enforcement.AGENT, true, "");
    add("class", Enforcement.AGENT, true, "class");
    add("fixed", Enforcement.AGENT, true, "fixed");
    add("full", Enforcement.AGENT, true, "full");
    add("alone", Enforcement.AGENT, false, "");
    Pools pools = pools();
    assertThat(pools.limits()).containsOnlyKeys(id("plain"), id("class"));
    assertThat(pools.rate(POOL)).isGreaterThan(8_900_000_000L);
    assertThat(proof("plain").borrowsUpTo().millibitsPerSecond())
        .isEqualTo(pools.limit(id("plain")));
    assertThat(proof("full").borrowsUpTo()).isEqualTo(DataRate.ZERO);
  }

  @Test
  void whoGainsMostBorrowsFirstAndClassesLast() {
    policy("steep", Policy.builder().utilityFunction(reaching("steep", 5)));
    policy("class", Policy.builder().scheme(SchemeName.SERVICE_CLASSES));
    add("steep", Enforcement.AGENT, true, "steep");
    add("flat", Enforcement.AGENT, true, "");
    add("class", Enforcement.AGENT, true, "class");
    Pools pools = pools();
    assertThat(pools.rank(id("steep"))).isEqualTo(0);
    assertThat(pools.rank(id("flat"))).isEqualTo(1);
    assertThat(pools.rank(id("class"))).isEqualTo(BorrowRanks.LAST);
  }

  @Test
  void whatOneOfAPoolLeavesIsItsPoolsAndNotLentToOthers() {
    grant("pooled", 9_000, Enforcement.AGENT, true, "");
    add("agent", Enforcement.AGENT, false, "");
    for (int second = 0; second < 12; second++) {
      observe("pooled", DataRate.ofKilobitsPerSecond(10));
      observe("agent", GRANTED);
      worker.pass(Duration.ofSeconds(1));
    }
    PlannerSettings lending = SETTINGS.toBuilder().lendThousandths(100).build();
    assertThat(lender.renew(directives(), lending)).isEmpty();
    assertThat(lender.loans()).isEqualTo(Loans.NONE);
  }

  @Test
  void inShadowNobodyBorrowsAnyLonger() {
    add("plain", Enforcement.AGENT, true, "");
    assertThat(pools().limits()).isNotEmpty();
    PlannerSettings shadow = SETTINGS.toBuilder().mode(PlanMode.SHADOW).build();
    assertThat(lender.pool(directives(), shadow, open)).isEqualTo(Pools.NONE);
    assertThat(proof("plain").borrowsUpTo()).isEqualTo(DataRate.ZERO);
  }

  /** It uses all of its grant. */
  private void add(String name, Enforcement enforcement, boolean pooled, String intent) {
    grant(name, 1_000, enforcement, pooled, intent);
    observe(name, GRANTED);
  }

  private void grant(
      String name, long kbps, Enforcement enforcement, boolean pooled, String intent) {
    Grant grant =
        Grant.of(
            name,
            1,
            DataRate.ofKilobitsPerSecond(kbps),
            Latency.ofMillis(10),
            Utility.of(1),
            Path.of(List.of("a", "b")));
    Conversation conversation =
        Conversation.builder()
            .id(id(name))
            .intent(intent)
            .enforcement(enforcement)
            .pool(pooled ? Optional.of(POOL) : Optional.empty())
            .localAddress("10.0.0.1")
            .remoteAddress("10.0.0.2")
            .build();
    grants.put(id(name), grant);
    open.put(id(name), conversation);
    book.put(Proof.of(conversation, conversation.policy(tree), Instant.EPOCH));
    book.change(id(name), proof -> proof.computed(Optional.of(grant)));
  }

  private void observe(String name, DataRate sent) {
    book.change(id(name), proof -> proof.measured(sent));
    lender.observe(
        Counters.of(
            id(name),
            0,
            0,
            1,
            Objects.requireNonNull(grants.get(id(name))).rate(),
            Map.of(),
            Optional.empty()));
  }

  private void policy(String intent, Policy.Builder policy) {
    tree = tree.with(IntentPath.parse(intent), policy.build());
  }

  private Loans loans() {
    lender.renew(directives(), SETTINGS);
    return lender.loans();
  }

  private Pools pools() {
    return lender.pool(directives(), SETTINGS, open);
  }

  private Directives directives() {
    return Directives.of(SchemeName.UTILITY_FAIR, Directive.Reason.GRANTED, grants);
  }

  private Proof proof(String name) {
    return book.find(id(name)).orElseThrow();
  }

  private static ConversationId id(String name) {
    return ConversationId.of("h", name);
  }

  private static Network network() {
    return Network.of(
        List.of("a", "b"),
        List.of(
            Link.of(
                "a",
                "b",
                DataRate.ofKilobitsPerSecond(10_000),
                LinkDelay.constant(Latency.ofMillis(1)))));
  }

  /** With twice what is granted. */
  private static UtilityFunction reaching(String name, double utility) {
    return UtilityFunction.of(
        name,
        List.of(GRANTED, GRANTED.times(2)),
        List.of(Latency.ofMillis(100)),
        List.of(List.of(Utility.of(1)), List.of(Utility.of(utility))));
  }
}
