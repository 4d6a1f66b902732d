package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Where there is no room for what the next agent would need, nothing is paced that it could not
 * take over.
 */
class FullDiskTest extends InNamespaces {
  @Test
  void anAgentThatCannotWriteItsStateIsRefusedAndLeavesTheHostAsItWas() throws Exception {
    try (TinyDisk disk = new TinyDisk()) {
      disk.fill();
      try (AgentProcess agent = agentWith(disk.words(), "")) {
        assertThat(agent.awaitExit()).isEqualTo(2);
        assertThat(agent.output()).contains("No space left on device");
      }
      assertHostIsAsFound();
      assertThat(disk.files()).containsExactly("full");
      disk.free();
      try (AgentProcess agent = agentWith(disk.words(), "")) {
        awaitAttached();
        assertThat(agent.stop()).isZero();
      }
      assertHostIsAsFound();
      assertThat(disk.files()).isEmpty();
    }
  }

  @Test
  void anAgentThatHadPacedPacesAgainAsSoonAsThereIsRoom() throws Exception {
    controller.lease(3);
    controller.beat();
    try (TinyDisk disk = new TinyDisk();
        AgentProcess agent = agentWith(disk.words(), "safeRate: 12mbit\n")) {
      awaitAttached();
      try (Download download = download(1)) {
        controller.grant(Map.of(download.id(), FIVE_MEGABIT));
        hosts.onSender("ip", "link", "set", "ctl0", "down");
        awaitQueues(false);
        // It goes last, and would leave room.
        await(disk::files, files -> files.stream().noneMatch(file -> file.endsWith(".state")));

        controller.lease(0);
        disk.fill();
        hosts.onSender("ip", "link", "set", "ctl0", "up");
        agent.awaitOutput("No space left on device");
        assertThat(qdiscs()).doesNotContain("htb");

        disk.free();
        new Recovery(hosts).awaitPaced("5Mbit");
        assertThat(controller.awaitOpen("files/download").getId()).isEqualTo(download.id());
      }
      assertThat(agent.stop()).isZero();
      assertHostIsAsFound();
      assertThat(disk.files()).isEmpty();
    }
  }

  @Test
  void socketsAreNotToldWhatNobodyCouldTakeBack() throws Exception {
    try (TinyDisk disk = new TinyDisk();
        AgentProcess agent = agentWith(disk.words(), "enforcer: socket\n")) {
      awaitAttached();
      disk.fill();
      try (Download download = download(1)) {
        // Before its server has accepted it, nothing is sent, and so there is nothing to tell.
        await(() -> hosts.receivedBitsPerSecond(50), rate -> rate > FIVE_MEGABIT);
        var answer = controller.grant(Map.of(download.id(), FIVE_MEGABIT)).getRates(0);
        assertThat(answer.getRateBitsPerSecond()).isZero();
        assertThat(answer.getError()).contains("written down", "No space left on device");

        disk.free();
        grant(download.id(), FIVE_MEGABIT);
      }
      assertThat(agent.stop()).isZero();
      assertHostIsAsFound();
      assertThat(disk.files()).isEmpty();
    }
  }
}
