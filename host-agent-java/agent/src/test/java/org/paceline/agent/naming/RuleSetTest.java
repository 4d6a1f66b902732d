package org.paceline.agent.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet.Coverage;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.intents.tree.IntentPath;

class RuleSetTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private static Flow tcp(int localPort, int remotePort) {
    return new Flow(Transport.TCP, HERE, localPort, HERE, remotePort);
  }

  private static SocketFacts unowned(int localPort, int remotePort) {
    return new SocketFacts(
        tcp(localPort, remotePort), ProcessInfo.UNKNOWN, Optional.empty(), Optional.empty());
  }

  private static ProcessInfo named(String name) {
    return new ProcessInfo(1, name, "/usr/bin/" + name, "u", "/");
  }

  private static Rule rule(String intent, String localPort, String remotePort, String process) {
    return new Rule(
        "test",
        Optional.of(IntentPath.parse(intent)),
        new Conditions(
            Optional.empty(),
            Optional.of(localPort).filter(p -> !p.isEmpty()).map(PortRanges::parse),
            Optional.of(remotePort).filter(p -> !p.isEmpty()).map(PortRanges::parse),
            Optional.empty(),
            Optional.empty(),
            process.isEmpty() ? Map.of() : Map.of(Trait.PROCESS, Glob.parse(process))),
        Rule.Grouping.ADDRESS,
        Direction.OUT);
  }

  @Test
  void whatASocketReceivesHasRulesOfItsOwn() {
    Rule in = rule("in/1", "80", "", "");
    in = new Rule(in.place(), in.intent(), in.conditions(), in.grouping(), Direction.IN);
    var rules = new RuleSet(List.of(in, rule("out/2", "80", "", "")), true);
    SocketFacts named =
        new SocketFacts(tcp(80, 5000), ProcessInfo.UNKNOWN, Optional.empty(), Optional.empty());
    assertThat(rules.name(named).orElseThrow().intent()).isEqualTo(IntentPath.parse("out/2"));
    assertThat(rules.name(named.incoming()).orElseThrow().intent())
        .isEqualTo(IntentPath.parse("in/1"));
    // What nobody asked for is not limited.
    SocketFacts other =
        new SocketFacts(tcp(81, 5000), ProcessInfo.UNKNOWN, Optional.empty(), Optional.empty());
    assertThat(rules.name(other.incoming())).isEmpty();
    assertThat(rules.name(other)).isPresent();
  }

  @Test
  void theFirstRuleThatMatchesDecides() {
    var rules = new RuleSet(List.of(rule("a/1", "80", "", ""), rule("b/2", "", "", "")), false);

    assertThat(rules.name(unowned(80, 9)).orElseThrow().intent())
        .isEqualTo(IntentPath.parse("a/1"));
    assertThat(rules.name(unowned(81, 9)).orElseThrow().intent())
        .isEqualTo(IntentPath.parse("b/2"));
  }

  @Test
  void whatNoRuleNamesIsLeftAloneUnlessAllIsToBeManaged() {
    assertThat(new RuleSet(List.of(), false).name(unowned(1, 2))).isEmpty();
    assertThat(new RuleSet(List.of(), true).name(unowned(1, 2)).orElseThrow())
        .satisfies(name -> assertThat(name.intent().isRoot()).isTrue());
  }

  @Test
  void theOwnerIsAskedForOnlyWhereItDecides() {
    var rules = new RuleSet(List.of(rule("a/1", "80", "", ""), rule("b/2", "", "", "scp")), false);

    assertThat(rules.needsOwner(unowned(80, 9))).isFalse();
    assertThat(rules.needsOwner(unowned(81, 9))).isTrue();
  }

  /** What is explained is what happens. */
  @Property(tries = 2_000, seed = "20")
  void aRuleMatchesWhereNoneOfItsConditionsMisses(
      @ForAll("ruleSets") RuleSet rules,
      @ForAll("flows") Flow flow,
      @ForAll("owners") ProcessInfo owner) {
    SocketFacts facts = new SocketFacts(flow, owner, Optional.empty(), Optional.empty());
    for (Rule rule : rules.rules()) {
      assertThat(rule.conditions().misses(facts).isEmpty()).isEqualTo(rule.matches(facts));
    }
  }

  /** The kernel sorts later sockets by the coverage: it must never be wider than the rules. */
  @Property(tries = 2_000, seed = "20")
  void socketsThatACoverageTakesTogetherAreNamedAlike(
      @ForAll("ruleSets") RuleSet rules,
      @ForAll("flows") Flow flow,
      @ForAll("flows") Flow other,
      @ForAll("owners") ProcessInfo owner,
      @ForAll("owners") ProcessInfo another) {
    Optional<RuleSet.Name> name =
        rules.name(new SocketFacts(flow, owner, Optional.empty(), Optional.empty()));
    if (name.isEmpty() || name.get().coverage() == Coverage.SOCKET) {
      return;
    }
    Flow sibling =
        name.get().coverage() == Coverage.LOCAL_PORT
            ? tcp(flow.localPort(), other.remotePort())
            : tcp(other.localPort(), flow.remotePort());

    assertThat(
            rules
                .name(new SocketFacts(sibling, another, Optional.empty(), Optional.empty()))
                .map(RuleSet.Name::intent))
        .contains(name.get().intent());
  }

  @Provide
  Arbitrary<RuleSet> ruleSets() {
    Arbitrary<String> ports = Arbitraries.of("", "", "1", "2", "1-2");
    return Combinators.combine(
            Arbitraries.of("a/1", "b/2", "c/3"), ports, ports, Arbitraries.of("", "", "p", "q"))
        .as(RuleSetTest::rule)
        .list()
        .ofMaxSize(5)
        .map(rules -> new RuleSet(new ArrayList<>(rules), false));
  }

  @Provide
  Arbitrary<Flow> flows() {
    Arbitrary<Integer> port = Arbitraries.integers().between(1, 3);
    return Combinators.combine(port, port).as(RuleSetTest::tcp);
  }

  @Provide
  Arbitrary<ProcessInfo> owners() {
    return Arbitraries.of("p", "q", "r").map(RuleSetTest::named);
  }
}
