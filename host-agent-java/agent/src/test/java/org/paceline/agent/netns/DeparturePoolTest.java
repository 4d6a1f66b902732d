package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What {@link PoolTest} asks of token buckets, asked of departure times. Where each program takes
 * seconds to start ({@link UserModeLinuxTest}), so it is one story too.
 */
class DeparturePoolTest extends InNamespaces {
  private static final long ONE_MEGABIT = 1_000_000;
  private static final long TWO_MEGABIT = 2_000_000;
  private static final long FOUR_MEGABIT = 4_000_000;
  private static final double PERCENT = 3;
  private static final int WINDOWS = 30;
  private static final double FRAME_OF_PAYLOAD = 1_442.0 / 1_400;

  @Test
  void whatOneLeavesUnusedAnotherSendsUntilItIsBack() throws Exception {
    assumeTrue(
        System.getProperty(ChosenEnforcerTest.EXPECTED, "").equals("edt"),
        "Skipped: nobody said that this kernel has departure times.");
    try (AgentProcess agent = chosen()) {
      awaitAttached();
      assertThat(controller.latestHello().orElseThrow().getCapabilities().getPools()).isTrue();
      try (Download download = download(2);
          TrafficProcess heard =
              TrafficProcess.start(
                  hosts.receiver,
                  "hear",
                  TwoHosts.RECEIVER_ADDRESS,
                  "9",
                  TwoHosts.SENDER_ADDRESS,
                  "5004");
          TrafficProcess owner =
              TrafficProcess.start(
                  hosts.sender,
                  "datagrams",
                  TwoHosts.SENDER_ADDRESS,
                  "5004",
                  TwoHosts.RECEIVER_ADDRESS)) {
        String call = controller.awaitOpen("voip/call").getId();
        Sh.run("kill", "-STOP", Long.toString(owner.pid()));
        grant(call, TWO_MEGABIT);

        // Its ceiling is worth nothing as long as there is no pool.
        controller.tell(PoolTest.rates(download.id(), ONE_MEGABIT, FOUR_MEGABIT));
        assertHeld(ONE_MEGABIT);
        assertThat(controller.tell(PoolTest.pool(FOUR_MEGABIT)).getPoolsList())
            .containsExactly(PoolTest.one(FOUR_MEGABIT));
        assertHeld(FOUR_MEGABIT);
        controller.tell(PoolTest.rates(download.id(), ONE_MEGABIT, TWO_MEGABIT));
        assertHeld(TWO_MEGABIT);
        controller.tell(PoolTest.rates(download.id(), ONE_MEGABIT, FOUR_MEGABIT));

        Sh.run("kill", "-CONT", Long.toString(owner.pid()));
        ownerHasItsRateAndAllThePool(heard);
        Sh.run("kill", "-STOP", Long.toString(owner.pid()));
        assertHeld(FOUR_MEGABIT);

        agent.kill();
        controller.awaitLeft();
        try (AgentProcess next = chosen()) {
          controller.awaitOpenAgain("files/download", download.id());
          assertThat(next.output()).contains("its rates go on");
          // What another agent's controller let it borrow is not this one's word.
          assertHeld(ONE_MEGABIT);
          assertThat(next.stop()).isZero();
        }
      }
    }
    assertHostIsAsFound();
  }

  private AgentProcess chosen() throws Exception {
    return agentWith(LeastPrivilege.UNIT, "enforcer: edt\n");
  }

  /** In one window at least a machine that runs by fits and starts has to let both be so. */
  private void ownerHasItsRateAndAllThePool(TrafficProcess heard) throws Exception {
    // What is borrowed has its times already.
    Thread.sleep(1_000);
    List<String> windows = new ArrayList<>();
    boolean right = false;
    while (!right) {
      assertThat(windows).hasSizeLessThan(WINDOWS);
      String[] before = heard.ask("how much").split(" ", -1);
      double all = error(hosts.receivedBitsPerSecond(3_000), FOUR_MEGABIT);
      String[] after = heard.ask("how much").split(" ", -1);
      double payload = Long.parseLong(after[1]) - Long.parseLong(before[1]);
      double seconds = (Long.parseLong(after[0]) - Long.parseLong(before[0])) / 1e9;
      double its = error(payload * FRAME_OF_PAYLOAD * Byte.SIZE / seconds, TWO_MEGABIT);
      windows.add(String.format("all %.1f, the owner %.1f", all, its));
      assertThat(all).as("errors in %%: %s", windows).isLessThanOrEqualTo(3 * PERCENT);
      right = Math.abs(all) <= PERCENT && Math.abs(its) <= PERCENT;
    }
    System.out.printf("%d bit/s while the owner sends: errors %s %%%n", FOUR_MEGABIT, windows);
  }

  private static double error(double is, double expected) {
    return (is / expected - 1) * 100;
  }
}
