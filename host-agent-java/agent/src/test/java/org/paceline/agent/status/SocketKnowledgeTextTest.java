package org.paceline.agent.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.agent.application.Claims;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RemoteName;
import org.paceline.intents.tree.IntentPath;

class SocketKnowledgeTextTest {
  @Test
  void whatIsWrittenIsRead() throws Exception {
    Flow ipv4 = flow(Transport.TCP, "192.0.2.1", "198.51.100.2");
    Flow ipv6 = flow(Transport.UDP, "2001:db8::1", "2001:db8::2");
    SocketKnowledge known =
        new SocketKnowledge(
            Map.of(
                ipv4,
                new RemoteName("a.example", List.of("b.example", "c"), RemoteName.Source.DNS),
                ipv6,
                new RemoteName("d.example", List.of(), RemoteName.Source.TLS)),
            Map.of(17L, new Claims.Claimed(IntentPath.parse("video/lecture"), 4_194_304)),
            Map.of(ipv6, 18L));

    assertThat(SocketKnowledgeText.read(SocketKnowledgeText.write(known))).isEqualTo(known);
    assertThat(SocketKnowledgeText.read("")).isEqualTo(SocketKnowledge.NOTHING);
  }

  private static Flow flow(Transport transport, String local, String remote) throws Exception {
    return new Flow(
        transport, InetAddress.getByName(local), 4000, InetAddress.getByName(remote), 443);
  }

  /** The first is how an agent before this one answers. */
  @ParameterizedTest
  @ValueSource(
      strings = {"host h1, pacing on [eth0]", "claim 1", "peer UDP 1 2 3 4", "claim x y z", ""})
  void whatAnotherVersionSaysIsRefused(String line) {
    assertThatThrownBy(() -> SocketKnowledgeText.read(line + "\n"))
        .isInstanceOf(IOException.class)
        .hasMessage("it said (" + line + "), maybe it is of another version");
  }
}
