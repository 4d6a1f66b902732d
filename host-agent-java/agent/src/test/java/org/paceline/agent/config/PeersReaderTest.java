package org.paceline.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.agent.sockets.ProcessInfo;
import org.paceline.allocator.virtualqueue.WirelessAccess;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.DataRate;

class PeersReaderTest {
  private static final String LINKS = "  links: [{name: uplink, capacity: 8mbit}]\n";

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void key() throws Exception {
    write("peers.key", "k".repeat(64) + "\n", "rw-------");
    write("open.key", "k".repeat(64), "rw-r--r--");
    write("short.key", "secret", "rw-------");
    write("rules.yaml", "rules: [{intent: a/b}]", "rw-r--r--");
  }

  private void write(String name, String text, String rights) throws Exception {
    Files.setPosixFilePermissions(
        Files.writeString(directory.resolve(name), text), PosixFilePermissions.fromString(rights));
  }

  private AgentConfig read(String peers) throws Exception {
    return AgentConfig.read(
        Files.writeString(
            directory.resolve("agent.yaml"), "hostId: h1\nrules: rules.yaml\n" + peers));
  }

  @Test
  void aKeyAndALinkAreEnoughWithoutAController() throws Exception {
    AgentConfig config = read("peers:\n  keyFile: peers.key\n" + LINKS);

    PeerSettings peers = config.peers().orElseThrow();
    assertThat(config.controller()).isEmpty();
    assertThat(peers.key().bytes()).hasSize(64);
    assertThat(peers.group().getPort()).isEqualTo(9561);
    assertThat(peers.period()).hasSeconds(2);
    assertThat(peers.loop().gain()).isCloseTo(0.1, within(1e-9));
    assertThat(peers.toString()).doesNotContain("kkk");
    assertThat(config.rules().rules().get(0).intent()).isEmpty();
  }

  @Test
  void theNearestIntentWithAWeightHoldsIt() throws Exception {
    Weights weights =
        read("peers:\n  keyFile: peers.key\n"
                + LINKS
                + "  weights: {video: 6, video/live: 2mbit}\n")
            .peers()
            .orElseThrow()
            .weights();

    assertThat(weights.holder(IntentPath.parse("video/film/x")).toString()).isEqualTo("video");
    assertThat(weights.holder(IntentPath.parse("mail/in")).isRoot()).isTrue();
    assertThat(weights.of(IntentPath.ROOT)).isEqualTo(1);
    // M = alpha / rho = 1 / 0.881 of 2 Mbit/s.
    assertThat(weights.of(IntentPath.parse("video/live"))).isCloseTo(2.269, within(1e-3));
  }

  @Test
  void aUserHasTheWeightOfTheIntentThatARuleGives() throws Exception {
    write(
        "rules.yaml",
        """
        rules:
          - {intent: users/anna, match: {user: anna}}
          - {intent: users/ben/copy, match: {user: ben, process: rsync}}
          - {intent: users/others, match: {user: "*"}}
        """,
        "rw-r--r--");
    AgentConfig config =
        read(
            "peers:\n  keyFile: peers.key\n"
                + LINKS
                + "  weights: {users: 1, users/anna: 3, users/ben: 2}\n");

    assertThat(weight(config, "anna", "firefox")).isEqualTo(3);
    assertThat(weight(config, "anna", "rsync")).isEqualTo(3);
    assertThat(weight(config, "ben", "rsync")).isEqualTo(2);
    assertThat(weight(config, "ben", "firefox")).isEqualTo(1);
    assertThat(weight(config, "cora", "rsync")).isEqualTo(1);
  }

  /** Of what the holder of a socket's intent has. */
  private static double weight(AgentConfig config, String user, String process) {
    ProcessInfo owner = new ProcessInfo(1, process, "/usr/bin/" + process, user, "/");
    InetAddress here = InetAddress.getLoopbackAddress();
    Flow flow = new Flow(Transport.TCP, here, 40_000, here, 443);
    RuleSet.Name name =
        config
            .rules()
            .name(new SocketFacts(flow, owner, Optional.empty(), Optional.empty()))
            .orElseThrow();
    Weights weights = config.peers().orElseThrow().weights();
    return weights.of(weights.holder(name.intent()));
  }

  @Test
  void theAirHasNoCapacityButAnAssociation() throws Exception {
    PeerSettings peers =
        read("peers:\n  keyFile: peers.key\n  links:\n"
                + "    - {name: wifi, air: rts-cts, association: 12mbit}\n"
                + "    - {name: uplink, capacity: 8mbit}\n")
            .peers()
            .orElseThrow();

    assertThat(peers.links().get(0).air())
        .contains(
            new PeerSettings.Air(
                WirelessAccess.RTS_CTS, false, Optional.of(DataRate.ofKilobitsPerSecond(12_000))));
    assertThat(peers.links().get(1).air()).isEmpty();
    assertThat(with("association: auto"))
        .isEqualTo(new PeerSettings.Air(WirelessAccess.BASIC, false, Optional.empty()));
    assertThat(with("association: wired"))
        .isEqualTo(new PeerSettings.Air(WirelessAccess.BASIC, true, Optional.empty()));
  }

  private PeerSettings.Air with(String more) throws Exception {
    return read(air("air: basic, " + more))
        .peers()
        .orElseThrow()
        .links()
        .get(0)
        .air()
        .orElseThrow();
  }

  private static String air(String more) {
    return "peers: {keyFile: peers.key, links: [{name: wifi, " + more + "}]}\n";
  }

  @Test
  void aCapacityIsEstimatedWithinBoundsWhereThatIsSaid() throws Exception {
    PeerSettings.Link link =
        read(air("capacity: estimated, ceiling: 20mbit, probe: 192.0.2.1"))
            .peers()
            .orElseThrow()
            .links()
            .get(0);
    assertThat(link.capacity()).isEqualTo(DataRate.ofKilobitsPerSecond(20_000));
    assertThat(link.estimated())
        .contains(
            new PeerSettings.Estimated(
                DataRate.ofKilobitsPerSecond(2_000), InetAddress.getByName("192.0.2.1")));
    assertThat(read(air("capacity: 8mbit")).peers().orElseThrow().links().get(0).estimated())
        .isEmpty();
  }

  @Test
  void whatIsWrongIsShownWithItsPlaceAndAWayOut() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("peers:\n" + LINKS, "agent.yaml:4:3: The key (keyFile) is missing"),
            Map.entry("peers:\n  keyFile: peers.key\n", "(links) is missing"),
            Map.entry("peers:\n  keyFile: open.key\n" + LINKS, "chmod go="),
            Map.entry("peers:\n  keyFile: short.key\n" + LINKS, "6 bytes"),
            Map.entry("peers:\n  keyFile: none.key\n" + LINKS, "openssl rand"),
            Map.entry("peers:\n  keyFile: peers.key\n  kappa: 0.2\n" + LINKS, "(0.2)"),
            Map.entry("peers:\n  keyFile: peers.key\n  period: 500ms\n" + LINKS, "(500ms)"),
            Map.entry(
                "peers:\n  keyFile: peers.key\n  group: 10.0.0.1:1\n" + LINKS, "(10.0.0.1:1)"),
            Map.entry("peers:\n  keyFile: peers.key\n  weights: {a: 0}\n" + LINKS, "(0.0) of (a)"),
            Map.entry(air("air: fast"), "(fast) is no way to send frames"),
            Map.entry(air("air: basic, association: 2mbit"), "(2mbit) is below"),
            Map.entry(
                air("capacity: 8mbit, association: auto"), "Only the air has an (association)"),
            Map.entry(air("air: basic, association: near"), "(near)"),
            Map.entry(air("air: basic, capacity: 20mbit"), "The air has no (capacity)"),
            Map.entry(air("air: basic, addresses: [10.0.0.0/8]"), "The air has no (addresses)"),
            Map.entry(
                air("air: basic}, {name: other, air: basic"), "More than one link is the air"),
            Map.entry(
                air("capacity: 8mbit, ceiling: 9mbit"),
                "Only a capacity that is estimated has a (ceiling)"),
            Map.entry(air("capacity: estimated, probe: 192.0.2.1"), "The key (ceiling) is missing"),
            Map.entry(air("capacity: estimated, ceiling: 9mbit"), "The key (probe) is missing"),
            Map.entry(
                air("capacity: estimated, ceiling: 9mbit, probe: 10.0.0.0/8"),
                "(10.0.0.0/8) is a range"),
            Map.entry(
                air("capacity: estimated, ceiling: 9mbit, floor: 10mbit, probe: 192.0.2.1"),
                "is above the ceiling"),
            Map.entry("", "The key (controller) is missing"));
    wrong.forEach(
        (text, why) ->
            assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                    FaultyFile.class,
                    e -> assertThat(e.faults()).as(text).anyMatch(f -> f.contains(why))));
  }
}
