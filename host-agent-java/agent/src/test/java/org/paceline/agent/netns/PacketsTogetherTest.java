package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many packets leave at once; the cable hands them over as they were sent. */
class PacketsTogetherTest extends InNamespaces {
  private static final int FRAME = 1_514;

  /** How many leave as one depends on how fast a busy machine is: more than one, at least. */
  private static final int SOME_TOGETHER = FRAME * 3 / 2;

  private static final long MUCH = 300_000_000;
  private static final int ATTEMPTS = 120;

  /** The rate is of what is on the wire, where each packet has headers of its own. */
  @Test
  void whatLeavesTogetherIsCountedPacketByPacket() throws Exception {
    try (AgentProcess agent = agentWith("packetsAtOnce: 4\n")) {
      awaitAttached();
      assertThat(link()).contains("gso_max_segs 4 ");
      try (Download download = download(6)) {
        grant(download.id(), FIVE_MEGABIT);
        // The cable hands them over as they were: with headers once, and so 3.3 % too few.
        assertReceived(FIVE_MEGABIT, 0, 4_000);
        awaitFrames(2_000, 4 * FRAME);
      }
      assertThat(agent.stop()).isZero();
      assertHostIsAsFound();
    }
  }

  /** Of sockets, too, that were connected before; and a killed agent leaves none of it behind. */
  @Test
  void howManyLeaveTogetherFollowsWhatIsGranted() throws Exception {
    hosts.onSender("ip", "link", "set", "dev", TwoHosts.DEVICE, "group", "7");
    try (AgentProcess agent = agentWith("restartGrace: 1s\n")) {
      awaitAttached();
      try (Download download = download(6)) {
        grant(download.id(), FIVE_MEGABIT);
        awaitLink("gso_max_segs 1 ");
        awaitFrames(FRAME / 2, FRAME);

        grant(download.id(), MUCH);
        awaitFrames(SOME_TOGETHER, 4 * FRAME);
        awaitLink("gso_max_segs 4 ");

        grant(download.id(), FIVE_MEGABIT);
        awaitFrames(FRAME / 2, FRAME);
        awaitLink("gso_max_segs 1 ");

        grant(download.id(), MUCH);
        awaitFrames(SOME_TOGETHER, 4 * FRAME);
        agent.kill();

        awaitQueues(false);
        // Four of them have less: one header for all.
        awaitFrames(4 * FRAME, Integer.MAX_VALUE);
        awaitHostIsAsFound();
        assertThat(link()).contains(" group 7 ");
      }
    }
  }

  private String link() throws Exception {
    return hosts.onSender("ip", "-d", "link", "show", "dev", TwoHosts.DEVICE);
  }

  private void awaitLink(String text) throws Exception {
    await(this::link, link -> link.contains(text));
  }

  /** What arrives as one comes to this many bytes, on average over a while. */
  private void awaitFrames(long least, long most) throws Exception {
    long average = -1;
    for (int i = 0; i < ATTEMPTS && (average < least || average > most); i++) {
      average = hosts.receivedTogether(500);
    }
    assertThat(average).isBetween(least, most);
  }
}
