package org.paceline.yang.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.yang.restconf.RestconfOffice.INTENTS;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.intents.tree.IntentTree;
import org.paceline.yang.restconf.message.Reply;

/** Bodies that do harm where they are taken for what they seem. */
class HostileBodiesTest {
  /** Of processor time, since others may want the machine. */
  private static final Duration LONG = Duration.ofSeconds(10);

  private final RestconfOffice office;

  HostileBodiesTest() throws IOException {
    office = new RestconfOffice();
  }

  @Test
  void eachIsRefusedSoonInFewWordsAndChangesNothing() {
    IntentTree before = office.intents.tree();
    Map<String, String> to =
        Map.of(
            INTENTS,
            "PATCH",
            INTENTS + "/intent=voice",
            "PUT",
            "data",
            "PUT",
            "operations/paceline-policy:rollback",
            "POST",
            "operations/paceline-reservations:reserve",
            "POST");
    bodies()
        .forEach(
            (what, body) ->
                to.forEach(
                    (path, method) -> {
                      long begin = processorNanos();
                      Reply reply = office.ask(method, path, body);
                      assertThat(reply.status())
                          .as("%s %s: %s", method, path, what)
                          .isBetween(400, 499);
                      assertThat(Duration.ofNanos(processorNanos() - begin)).isLessThan(LONG);
                      assertThat(reply.body().orElseThrow().toString()).hasSizeLessThan(2_000);
                    }));
    assertThat(office.intents.tree()).isEqualTo(before);
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Test
  void whoMayChangeNothingHasNothingRead() {
    for (String method : new String[] {"PUT", "POST", "PATCH"}) {
      assertThat(office.askAs("visitor", method, INTENTS, "[[[").status()).isEqualTo(403);
    }
  }

  @Test
  void whatCannotBeReadIsRefusedBeforeTheConfigurationIsLookedAt() {
    for (String method : new String[] {"PUT", "POST", "PATCH"}) {
      assertThat(office.ask(method, INTENTS, "[[[").status()).isEqualTo(400);
    }
    assertThat(office.intents.timesRead).isZero();
  }

  /** What it takes is counted in memory, for time is another on each machine. */
  @Test
  void theConfigurationIsWrittenOutOnceForAllRequestsBetweenTwoChanges() {
    String unfit = "{'paceline-intents:intents': {'none': 1}}";
    assertThat(office.ask("PUT", INTENTS, unfit).status()).isEqualTo(400);
    IntentTree tree = office.intents.tree();
    office.ask("PATCH", INTENTS, "{'paceline-intents:intents': {'intent': [{'path': 'new'}]}}");
    assertThat(office.intents.replace(office.intents.tree(), tree, "anna")).isTrue();
    long first = allocatedBy(() -> office.ask("PUT", INTENTS, unfit));
    assertThat(allocatedBy(() -> office.ask("PUT", INTENTS, unfit))).isLessThan(first / 2);
  }

  private static long allocatedBy(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    work.run();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
  }

  private static Map<String, String> bodies() {
    String intents = "{'paceline-intents:intents': {'intent': [";
    Map<String, String> bodies = new LinkedHashMap<>();
    bodies.put("deep", "{'a':".repeat(100_000));
    bodies.put("deep lists", intents + "[".repeat(100_000));
    bodies.put("a long number", "{'paceline-policy:input': {'to': " + "9".repeat(1_000_000) + "}}");
    bodies.put(
        "a number too long by one", "{'paceline-policy:input': {'to': " + "9".repeat(41) + "}}");
    bodies.put("a big exponent", "{'paceline-policy:input': {'to': 1e999999999}}");
    bodies.put("a big rate", "{'paceline-reservations:input': {'rate': '1e999999999'}}");
    bodies.put("a long text", intents + "{'path': '" + "x".repeat(3_000_000) + "'}]}}");
    bodies.put("a path of many names", intents + "{'path': 'a" + "/a".repeat(30_000) + "'}]}}");
    bodies.put("a long name", intents + "{'path': '" + "x".repeat(60_000) + "'}]}}");
    bodies.put("a long member", "{'" + "x".repeat(60_000) + "': 1}");
    bodies.put("a member twice", "{'a': 1, 'a': 1}");
    bodies.put("many values", intents + "0,".repeat(300_000) + "0]}}");
    bodies.put("half a character", intents + "{'path': '\\ud83d'}]}}");
    bodies.put("no number", "{'paceline-policy:input': {'to': NaN}}");
    return bodies;
  }
}
