package org.paceline.agent.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessTableTest {
  private static final String ID = "3f2a1b9c".repeat(8);

  @Test
  void theHierarchyThatSaysMostIsTaken() {
    List<String> old = List.of("4:memory:/docker/" + ID, "1:name=systemd:/a.service", "0::/");

    assertThat(ProcessTable.cgroup(old)).isEqualTo("/a.service");
    assertThat(ProcessTable.cgroup(List.of("4:memory:/a:b", "0::/"))).isEqualTo("/a:b");
    assertThat(ProcessTable.cgroup(List.of("4:memory:/a", "0::/b"))).isEqualTo("/b");
    assertThat(ProcessTable.cgroup(List.of("0::/"))).isEqualTo("/");
    assertThat(ProcessTable.cgroup(List.of("nonsense"))).isEmpty();
  }
}
