package org.paceline.agent.posix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartedProcessTest {
  @Test
  void aProcessIsKnownAgainByItsNumberAndItsBeginning() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "60").start();
    StartedProcess started = StartedProcess.of(sleep.pid()).orElseThrow();
    assertThat(StartedProcess.parse(started.text()).alive()).isPresent();
    // Whoever gets the number of one that has ended is not it.
    assertThat(new StartedProcess(sleep.pid(), started.startTicks() - 1).alive()).isEmpty();

    sleep.destroyForcibly().waitFor();

    assertThat(started.alive()).isEmpty();
    assertThat(StartedProcess.of(sleep.pid())).isEmpty();
  }
}
