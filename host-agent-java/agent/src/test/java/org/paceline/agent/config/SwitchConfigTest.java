package org.paceline.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwitchConfigTest {
  private static final String WHO = "hostId: rack1\ncontroller: 192.0.2.1\n";

  @TempDir private Path directory = Path.of("");

  @Test
  void aFileWithSwitchesMakesTheAgentTheirs() throws Exception {
    SwitchConfig read =
        SwitchConfig.read(
                file(
                    WHO
                        + "switches:\n"
                        + "  - {device: of:0000000000000001, ports: [eth1, eth2]}\n"
                        + "  - {device: of:0000000000000002, ports: eth3, buffer: 5ms}\n"))
            .orElseThrow();
    assertThat(read.hostId()).isEqualTo("rack1");
    assertThat(read.controller().text()).isEqualTo("192.0.2.1:9559");
    assertThat(read.reportInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(read.buffers())
        .containsEntry("eth1", Duration.ofMillis(50))
        .containsEntry("eth3", Duration.ofMillis(5))
        .hasSize(3);
  }

  @Test
  void aFileWithoutThemIsAHosts() throws Exception {
    assertThat(SwitchConfig.read(file(WHO + "rules: rules.yaml\n"))).isEmpty();
  }

  @Test
  void everyFaultIsNamedWithAWayOut() throws Exception {
    Path file =
        file(
            WHO
                + "rules: rules.yaml\n"
                + "switches:\n"
                + "  - {device: s1, ports: [eth1], buffer: 2s}\n"
                + "  - {device: of:0000000000000002, ports: [eth1, \"no name of any\"]}\n"
                + "  - {device: of:0000000000000002}\n");
    assertThatThrownBy(() -> SwitchConfig.read(file))
        .hasMessageContaining("(rules) here")
        .hasMessageContaining("such an agent paces nothing of its host")
        .hasMessageContaining("The device (s1) is no switch of ONOS")
        .hasMessageContaining("The buffer (2s) must be from 1ms to 1s")
        .hasMessageContaining("(no name of any) is no name of an interface")
        .hasMessageContaining("The port (eth1) is named twice")
        .hasMessageContaining("The switch (of:0000000000000002) is named twice")
        .hasMessageContaining("The key (ports) is missing");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("agent.yaml"), text);
  }
}
