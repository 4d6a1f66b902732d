package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.NoCeilings;
import org.paceline.control.assurance.ForeignAddresses;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Unserved;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.DataRate;

/**
 * An agent speaks for its own host: what it says of others' addresses is refused and changes
 * nothing for them. The agent of h1 (10.0.1.1) is honest, that of h2 (10.0.1.2) is not.
 */
class ForeignAddressesTest {
  private static final String OWN = "10.0.1.2";
  private static final String OF_H1 = "10.0.1.1";
  private static final String STRANGERS = "10.0.1.3";
  private static final ConversationId FALSE = ConversationId.of("h2", "false");

  private final Office office = new Office();
  private final ForeignAddresses alarms = new ForeignAddresses(office.worker);

  @BeforeEach
  void bothAgentsAreThere() {
    attach("h1", OF_H1);
    attach("h2", OWN);
    office.open(speaks("h1", "own", OF_H1, "10.0.2.1"));
    office.open(speaks("h2", "own", OWN, "10.0.2.2"));
    office.settle();
  }

  private static AgentInfo agent(String host, String... addresses) {
    return AgentInfo.of(host, List.of(addresses), "htb", "test", "test", Instant.EPOCH);
  }

  private void attach(String host, String... addresses) {
    attach(agent(host, addresses));
  }

  private void attach(AgentInfo agent) {
    office.planner.attached(agent, List.of(), 0);
  }

  /** A switch would hold it: no rate of an agent's is in the way. */
  private static Conversation speaks(String host, String id, String from, String to) {
    return Conversation.builder()
        .id(ConversationId.of(host, id))
        .enforcement(Enforcement.FIRST_HOP)
        .localAddress(from)
        .remoteAddress(to)
        .build();
  }

  private static Conversation hears(String host, String id, String from, String to) {
    return speaks(host, id, from, to).toBuilder()
        .incoming(true)
        .enforcement(Enforcement.RECEIVER)
        .build();
  }

  private void isRefused(ConversationId id, Unserved.Code code, String... words) {
    assertThat(office.proofs.find(id).orElseThrow().state()).isEqualTo(ConversationState.UNSERVED);
    Unserved why = office.proofs.find(id).orElseThrow().unserved().orElseThrow();
    assertThat(why.code()).isEqualTo(code);
    assertThat(why.reason()).contains(words).contains("Maybe");
    assertThat(office.planner.plan().directives().paces()).doesNotContainKey(id);
    assertThat(office.planner.plan().grants()).doesNotContainKey(id);
    assertThat(office.led).doesNotContain(id);
    assertThat(office.refused).anyMatch(one -> one.id().equals(id));
  }

  private void isServed(String host, String id) {
    assertThat(office.proof(host, id).state()).isEqualTo(ConversationState.GRANTED);
  }

  private List<Alarm> alarms() {
    return alarms.look(office.proofs.all());
  }

  private void open(Conversation conversation) {
    office.open(conversation);
    office.settle();
  }

  /** What the network sees is changed. */
  private void sees(Map<String, String> changed) {
    sees(changed, Map.of());
  }

  private void sees(Map<String, String> changed, Map<String, Set<String>> interfaces) {
    NetworkState now = office.state;
    Map<String, String> addresses = new HashMap<>(now.nodesByAddress());
    addresses.putAll(changed);
    addresses.values().removeIf(String::isEmpty);
    office.state =
        NetworkState.of(now.network(), addresses, List.of()).withHosts(interfaces, Map.of());
    office.planner.networkChanged();
    office.settle();
  }

  private void operatorSays(Map<String, Set<String>> agents) {
    NetworkState now = office.state;
    office.state =
        NetworkState.of(now.network(), now.nodesByAddress(), List.of()).withHosts(Map.of(), agents);
    office.planner.networkChanged();
    office.settle();
  }

  @Test
  void nobodysTrafficIsHeldByTheWordOfAnotherHost() {
    long before = office.grant("h1", "own");
    open(speaks("h2", "false", STRANGERS, "10.0.2.1"));
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, STRANGERS, "(h2)", "hosts/h3/paceline");
    assertThat(office.grant("h1", "own")).isEqualTo(before);
    isServed("h2", "own");
  }

  @Test
  void whatAReceiverSaysMustBeOfItsOwnAddress() {
    open(hears("h2", "false", STRANGERS, "10.0.2.3"));
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, "10.0.2.3", "(h2)");
    open(hears("h2", "true", "10.0.2.3", OWN));
    isServed("h2", "true");
  }

  @Test
  void oneAlarmAnAgentNamesAgentAndAddressAndEndsWithTheLast() {
    assertThat(alarms()).isEmpty();
    open(speaks("h2", "false", STRANGERS, "10.0.2.1"));
    open(speaks("h2", "false2", STRANGERS, "10.0.2.2"));
    Instant first = alarms().get(0).since();
    office.worker.pass(Duration.ofSeconds(5));
    assertThat(alarms()).hasSize(1);
    Alarm alarm = alarms().get(0);
    assertThat(alarm.kind()).isEqualTo(Alarm.Kind.FOREIGN_ADDRESS);
    assertThat(alarm.conversation()).contains(FALSE);
    assertThat(alarm.sentence()).contains(STRANGERS, "(h2)", "Maybe", "(1) more");
    assertThat(alarm.since()).isEqualTo(first);
    office.close(FALSE);
    office.settle();
    assertThat(alarms().get(0).conversation()).contains(ConversationId.of("h2", "false2"));
    office.close(ConversationId.of("h2", "false2"));
    office.settle();
    assertThat(alarms()).isEmpty();
  }

  @Test
  void anAddressIsTheFirstAgentsUntilThatIsGone() {
    attach("thief", OF_H1);
    open(speaks("thief", "x", OF_H1, "10.0.2.2"));
    ConversationId x = ConversationId.of("thief", "x");
    isRefused(x, Unserved.Code.ADDRESS_OF_ANOTHER, OF_H1, "(h1)", "(thief)");
    isServed("h1", "own");

    // A host that is renamed waits as long as its old name's conversations keep their share.
    office.planner.stopped("h1");
    office.settle();
    isRefused(x, Unserved.Code.ADDRESS_OF_ANOTHER, "(h1)");
    office.worker.pass(PlannerSettings.DEFAULT.agentGrace().plusSeconds(1));
    office.settle();
    isServed("thief", "x");
    assertThat(alarms()).isEmpty();
  }

  @Test
  void aCertificateIsBelievedBeforeWhoeverCameFirst() {
    attach(agent("right").certifiedFor(Set.of(OF_H1)));
    office.open(speaks("right", "x", OF_H1, "10.0.2.2"));
    open(speaks("right", "y", STRANGERS, "10.0.2.2"));
    isServed("right", "x");
    isRefused(
        ConversationId.of("right", "y"), Unserved.Code.ADDRESS_NOT_CERTIFIED, STRANGERS, "(right)");
    isRefused(ConversationId.of("h1", "own"), Unserved.Code.ADDRESS_OF_ANOTHER, "(right)");
  }

  @Test
  void aCertificateWithoutAddressesOfAKindLeavesThoseToTheNetwork() {
    sees(Map.of("2001:db8::2", "h2", "2001:db8::3", "h3", "fe80::2", "h2"));
    attach(agent("h2", OWN, "2001:db8::2").certifiedFor(Set.of(OWN)));
    office.open(speaks("h2", "six", "2001:db8::2", "10.0.2.1"));
    office.open(speaks("h2", "near", "fe80::2", "10.0.2.1"));
    open(speaks("h2", "false", "2001:db8::3", "10.0.2.1"));
    isServed("h2", "six");
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, "2001:db8::3");
    attach(agent("h2", OWN, "2001:db8::2").certifiedFor(Set.of(OWN, "2001:db8::22")));
    office.open(speaks("h2", "own", OWN, "10.0.2.2"));
    office.open(speaks("h2", "six", "2001:db8::2", "10.0.2.1"));
    open(speaks("h2", "near", "fe80::2", "10.0.2.1"));
    isRefused(
        ConversationId.of("h2", "six"), Unserved.Code.ADDRESS_NOT_CERTIFIED, "2001:db8::2", "(h2)");
    isServed("h2", "near");
  }

  @Test
  void aCertificateMayNameAddressesOfSeveralInterfaces() {
    attach(agent("h2", OWN).certifiedFor(Set.of(OWN, STRANGERS)));
    open(speaks("h2", "other-card", STRANGERS, "10.0.2.1"));
    isServed("h2", "other-card");
  }

  @Test
  void anOperatorSaysWhoSpeaksForAHostAndNobodyElseDoes() {
    open(speaks("h2", "false", STRANGERS, "10.0.2.1"));
    operatorSays(Map.of(STRANGERS, Set.of("h2"), OF_H1, Set.of("h2", "h9")));
    isServed("h2", "false");
    isServed("h2", "own");
    isRefused(ConversationId.of("h1", "own"), Unserved.Code.ADDRESS_OF_ANOTHER, "(h2, h9)");
    operatorSays(Map.of());
    isServed("h1", "own");
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, STRANGERS);
  }

  @Test
  void anAddressThatIsNotSeenYetIsLookedAtWhenItIs() {
    sees(Map.of(STRANGERS, "", OWN, ""));
    open(speaks("h2", "false", STRANGERS, "10.0.2.1"));
    assertThat(office.proof("h2", "false").unserved().orElseThrow().code())
        .isEqualTo(Unserved.Code.UNKNOWN_SENDER);
    assertThat(alarms()).isEmpty();
    sees(Map.of(OWN, "h2"));
    isServed("h2", "own");
    sees(Map.of(STRANGERS, "h3"));
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, STRANGERS);
    // Another of the same interface, such as one of IPv6.
    open(speaks("h2", "six", "2001:db8::2", "10.0.2.1"));
    sees(Map.of("2001:db8::2", "h2"));
    isServed("h2", "six");
  }

  @Test
  void aHostMayChangeItsInterfaceOrBeOnSeveralVlansOfOne() {
    sees(Map.of(OWN, "h3"));
    isServed("h2", "own");
    sees(
        Map.of(OWN, "h2", "10.0.1.22", "h3"),
        Map.of(OWN, Set.of("mac"), "10.0.1.22", Set.of("mac", "stale")));
    open(speaks("h2", "vlan", "10.0.1.22", "10.0.2.1"));
    isServed("h2", "vlan");
    isServed("h2", "own");
  }

  @Test
  void whatIsLeftOfAnEarlierHostOfTheAddressTakesNothingFromTheNewOne() {
    // ONOS still has the address at the host that had it before, and learns the rest later.
    String address = "10.0.1.44";
    Map<String, Set<String>> twice = Map.of(address, Set.of("an-old-one", "h3"));
    attach("late", address, "2001:db8::4");
    sees(Map.of(address, "h3"), twice);
    open(speaks("late", "four", address, "10.0.2.2"));
    isServed("late", "four");
    sees(Map.of("2001:db8::4", "h3"), twice);
    open(speaks("late", "six", "2001:db8::4", "10.0.2.2"));
    isServed("late", "six");
    isServed("late", "four");
  }

  @Test
  void whatAnAgentCallsItsOwnCountsForNothingWhereItIsNot() {
    attach("h2", OWN, STRANGERS, OF_H1);
    open(hears("c1", "in", STRANGERS, "10.0.2.1"));
    assertThat(office.proof("c1", "in").state())
        .as("nobody takes the sender for one with an agent")
        .isEqualTo(ConversationState.GRANTED);
    Collection<AgentInfo> agents = office.planner.agents();
    assertThat(agents)
        .filteredOn(agent -> agent.host().equals("h2"))
        .singleElement()
        .satisfies(agent -> assertThat(agent.addresses()).containsExactly(OWN));
    isServed("h1", "own");
  }

  @Test
  void whatAnOperatorAnnouncedIsNotTakenForItsTwin() {
    office.open(speaks("h2", "false", STRANGERS, "10.0.2.1"));
    open(speaks(ConversationId.ANNOUNCED, "true", STRANGERS, "10.0.2.1"));
    isServed(ConversationId.ANNOUNCED, "true");
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, STRANGERS);
  }

  @Test
  void itTakesNoPartInWhatIsReservedForOthers() {
    Instant now = office.worker.instant();
    Reservation held =
        office
            .reservations
            .hold(
                NoCeilings.ADAM,
                ReservationRequest.of(
                    "files",
                    OF_H1,
                    "10.0.2.1",
                    DataRate.ofKilobitsPerSecond(1_500),
                    now,
                    Duration.ofHours(1),
                    now.plus(Duration.ofHours(1))))
            .held()
            .orElseThrow();
    assertThat(office.reservations.commit(held.id())).isPresent();
    office.open(copy("h1", "copy"));
    office.open(copy("h2", "false"));
    for (int i = 0; i < 30; i++) {
      office.open(speaks("h2", "more" + i, OWN, "10.0.2.2"));
    }
    office.settle();
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, OF_H1);
    assertThat(office.grant("h1", "copy")).isGreaterThanOrEqualTo(1_500_000_000L / 1_000 * 999);
    assertThat(office.reservations.due(office.proofs.all()).keySet())
        .containsExactly(ConversationId.of("h1", "copy"));
  }

  private static Conversation copy(String host, String id) {
    return speaks(host, id, OF_H1, "10.0.2.1").toBuilder().intent("files/copy").build();
  }

  @Test
  void whoIsRefusedLaterLosesWhatItHad() {
    sees(Map.of(STRANGERS, "h2"));
    open(speaks("h2", "false", STRANGERS, "10.0.2.1"));
    isServed("h2", "false");
    sees(Map.of(STRANGERS, "h3"));
    isRefused(FALSE, Unserved.Code.ADDRESS_ELSEWHERE, STRANGERS);
    assertThat(office.released).contains(FALSE);
    assertThat(Optional.ofNullable(office.planner.plan().grants().get(FALSE))).isEmpty();
  }
}
