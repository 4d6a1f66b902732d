package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** With certificates, the agent obeys the house's controller and nobody else. */
class AgentTlsTest extends InNamespaces {
  private Path certificates(String house) throws Exception {
    Path made = directory.resolve(house);
    Sh.run("../../tools/certificates", made.toString(), "h1");
    return made;
  }

  private void restartController(Path certificates) throws Exception {
    controller.close();
    controller = new TestController(TwoHosts.CONTROLLER_ADDRESS, 0, Optional.of(certificates));
  }

  private AgentProcess agentOf(Path house) throws Exception {
    return agentWith(
        "tls: {authority: %1$s/ca.pem, certificate: %1$s/h1.pem, key: %1$s/h1.key}%n"
            .formatted(house));
  }

  @Test
  void anAgentAttachesToTheControllerOfItsHouse() throws Exception {
    Path house = certificates("house");
    restartController(house);
    try (AgentProcess agent = agentOf(house)) {
      awaitAttached();
      assertThat(agent.stop()).isZero();
    }
    assertHostIsAsFound();
  }

  @Test
  void aStrangersControllerIsNotObeyed() throws Exception {
    restartController(certificates("strangers"));
    try (AgentProcess agent = agentOf(certificates("house"))) {
      assertThat(agent.awaitOutput("no controller at")).contains("nothing is paced");
      assertThat(controller.latestHello()).isEmpty();
      assertThat(qdiscs()).doesNotContain("htb");
      assertThat(agent.stop()).isZero();
    }
  }
}
