package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.util.internal.InternalThreadLocalMap;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.paceline.control.settings.PlanMode;

/** ONOS's threads outlive the bundle: what Netty left on one would hold all its classes. */
class BorrowedThreadsTest {
  private final ExecutorService borrowed = Executors.newSingleThreadExecutor();

  @AfterEach
  void end() {
    borrowed.shutdownNow();
  }

  @Test
  void nothingIsLeftOnTheThreadThatOpensItWithCertificates(@TempDir Path house) throws Exception {
    AgentServerTlsTest.certificates(house, "h1");
    try (AgentServerRig rig = on(() -> new AgentServerRig(Optional.of(house)))) {
      assertThat(rig.server.port()).isPositive();
      assertThat(isClean()).isTrue();
    }
  }

  @Test
  void nothingIsLeftOnTheThreadThatChangesASettingAndCloses() throws Exception {
    AgentServerRig rig = new AgentServerRig(Optional.empty());
    try {
      AgentServerRig.Agent agent = rig.agent();
      agent.say(AgentServerRig.hello("h1").build());
      assertThat(agent.hears().hasWelcome()).isTrue();
      on(
          () -> {
            rig.mode(PlanMode.SHADOW);
            return rig;
          });
      assertThat(agent.hears().hasWelcome()).isTrue();
      assertThat(isClean()).as("after a setting is changed").isTrue();
    } finally {
      on(
          () -> {
            rig.server.close();
            return rig;
          });
    }
    assertThat(isClean()).as("after closing").isTrue();
    rig.close();
  }

  private boolean isClean() throws Exception {
    return on(() -> InternalThreadLocalMap.getIfSet() == null);
  }

  private <T> T on(Callable<T> call) throws Exception {
    return borrowed.submit(call).get();
  }
}
