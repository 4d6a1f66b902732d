package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.paceline.agent.enforce.ClassIds;

/**
 * Six sockets in a class that the agent's own code makes. Four are connected while its queue is
 * full: the kernel hands over fewer of their packets at once, and in a queue that is first in,
 * first out they get half of what the others get. Another kernel is asked ({@link
 * UserModeLinuxTest}), which lacks what the agent sorts packets with: here tc says which class it
 * is.
 */
@Tag("kernel")
class SocketsInTurnTest {
  private static final int CLASS = 7;
  // So low that a busy machine, which runs the other kernel by fits and starts, has it backlogged.
  private static final String TWO_MEGABIT = "2000000";
  private static final double LEAST_PERCENT = 90;
  private static final double MOST_PERCENT = 110;
  private static final int SECONDS = 20;
  private static final int FULL_AFTER_MILLIS = 4_000;
  private static final int ATTEMPTS = 120;
  private static final Pattern ACKNOWLEDGED = Pattern.compile("bytes_acked:(\\d+)");

  private TwoHosts hosts;

  @BeforeAll
  static void needsRoot() throws Exception {
    InNamespaces.needsRoot();
    assumeTrue(
        Sh.run("sh", "-c", "unshare --net tc qdisc add dev lo root fq 2>&1 || true").isEmpty(),
        "Skipped: this kernel has no queue that serves sockets in turn.");
  }

  @BeforeEach
  void layCable() throws Exception {
    hosts = new TwoHosts();
    String root = "qdisc add dev " + TwoHosts.DEVICE + " root handle " + ClassIds.HANDLE + " htb";
    tc(root + " default " + CLASS);
    // As the agent does while much is granted.
    hosts.onSender("ip", "link", "set", "dev", TwoHosts.DEVICE, "gso_max_segs", "4");
    String[] made = {TwoHosts.DEVICE, Integer.toString(CLASS), TWO_MEGABIT};
    hosts.onSender(Sh.java(List.of(), OneClass.class, made));
  }

  @AfterEach
  void clear() throws Exception {
    hosts.close();
  }

  @Test
  void eachHasAnEvenShare() throws Exception {
    assertThat(hosts.onSender("tc", "qdisc", "show", "dev", TwoHosts.DEVICE)).contains("qdisc fq ");

    assertThat(shares("as the agent makes it"))
        .allSatisfy(share -> assertThat(share).isBetween(LEAST_PERCENT, MOST_PERCENT));
  }

  /** What the other test is held against: the figures are for who reads them. */
  @Test
  void firstInFirstOutIsMeasuredBesideIt() throws Exception {
    tc("qdisc replace dev " + TwoHosts.DEVICE + " parent ace1:" + CLASS + " pfifo limit 1000");

    assertThat(shares("first in, first out")).hasSize(6);
  }

  private void tc(String words) throws Exception {
    hosts.onSender(("tc " + words).split(" ", -1));
  }

  /** Of an even share, in percent. */
  private List<Double> shares(String queue) throws Exception {
    try (TrafficProcess.Group all = new TrafficProcess.Group()) {
      all.start(hosts.sender, "serve", TwoHosts.SENDER_ADDRESS, "8080");
      all.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "2");
      Thread.sleep(FULL_AFTER_MILLIS);
      all.start(hosts.receiver, "fetch", TwoHosts.SENDER_ADDRESS, "8080", "4");
      for (int i = 0; i < ATTEMPTS && acknowledged().size() < 6; i++) {
        Thread.sleep(500);
      }
      Thread.sleep(FULL_AFTER_MILLIS);
      List<Long> before = acknowledged();
      Thread.sleep(SECONDS * 1_000);
      List<Long> after = acknowledged();
      assertThat(before).hasSize(6);
      assertThat(after).hasSize(6);
      double sum = 0;
      for (int i = 0; i < 6; i++) {
        sum += after.get(i) - before.get(i);
      }
      List<Double> shares = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        shares.add(Math.round((after.get(i) - before.get(i)) * 6_000 / sum) / 10.0);
      }
      System.out.printf(
          "Of an even share, %s: %s %%, %.0f kbit/s in sum%n",
          queue, shares, sum * Byte.SIZE / SECONDS / 1e3);
      return shares;
    }
  }

  /** By each socket of the server, in an order that stays. */
  private List<Long> acknowledged() throws Exception {
    String sockets =
        hosts.onSender("sh", "-c", "ss -tinHO state established '( sport = :8080 )' | sort -k 4");
    List<Long> bytes = new ArrayList<>();
    for (String socket : sockets.lines().toList()) {
      Matcher each = ACKNOWLEDGED.matcher(socket);
      // One that nobody has taken yet has acknowledged nothing.
      bytes.add(each.find() ? Long.parseLong(each.group(1)) : 0);
    }
    return bytes;
  }
}
