package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.paceline.onos.flow.OwnRules;

/**
 * What a change costs default forwarding that holds 100,000 rules: on a ring of 20 switches, where
 * one link leads a quarter of all rules, to 625 hosts with IPv4 and IPv6 whose packets lose two
 * marks. "tools/paceline bench forwarding" runs it, and no build does: its times are claims of its
 * result, and no assertions. It asserts what each change writes, so that no cost is of something
 * else.
 *
 * <p>Counted is the processor time of the thread that brings rules up to date, until ONOS has been
 * told of them, with the compiler that ONOS runs with here.
 */
final class ForwardingBench {
  private static final int SWITCHES = 20;
  private static final int HOSTS = 625;

  /** By address, ARP, IPv6's question and answer, and two marks of IPv4 and IPv6. */
  private static final int RULES_OF_ONE = 8;

  private static final int ROUNDS = 15;
  private static final double MOST_MILLIS = 100;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Store store = new Store();
  private final ForwardedNetwork network =
      new ForwardedNetwork(
          OwnRules.of(store, new DefaultApplicationId(1, "bench"), device -> true));
  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

  /** What one change cost, and what it wrote. */
  private static final class Sample {
    final double millis;
    final int added;
    final int removed;

    Sample(double millis, int added, int removed) {
      this.millis = millis;
      this.added = added;
      this.removed = removed;
    }
  }

  /** Takes everything, and counts it. */
  private static final class Store extends FlowRuleServiceAdapter {
    int added;
    int removed;

    @Override
    public void apply(FlowRuleOperations operations) {
      for (Set<FlowRuleOperation> stage : operations.stages()) {
        for (FlowRuleOperation one : stage) {
          if (one.type() == FlowRuleOperation.Type.ADD) {
            added++;
          } else {
            removed++;
          }
        }
      }
      operations.callback().onSuccess(operations);
    }
  }

  @Test
  void run() throws IOException {
    network.managedDscp = 34;
    network.elephantDscp = 10;
    for (int one = 1; one <= SWITCHES; one++) {
      network.switchComes(one);
      network.linkComes(one, one % SWITCHES + 1);
    }
    for (int number = 1; number <= HOSTS; number++) {
      network.hostComes(number, number % SWITCHES + 1, true);
    }
    Sample all = measured();
    assertThat(all.added).isEqualTo(SWITCHES * HOSTS * RULES_OF_ONE);
    for (int round = 0; round < ROUNDS; round++) {
      // Another one each time, so that nothing is found where it was left.
      change(1 + round % (SWITCHES - 1));
    }
    write(Path.of("target", "forwarding-bench"), all);
  }

  private void change(int at) {
    int rulesOfHost = SWITCHES * RULES_OF_ONE;
    int come = HOSTS + 1;
    network.hostComes(come, at, true);
    assertThat(measured("a host comes").added).isEqualTo(rulesOfHost);
    network.hostComes(come, (at + SWITCHES / 2) % SWITCHES + 1, true);
    assertThat(measured("a host moves").added).isBetween(1, rulesOfHost);
    network.hostGoes(come);
    assertThat(measured("a host goes").removed).isEqualTo(rulesOfHost);
    network.linkGoes(at, at + 1);
    Sample left = measured("a link goes");
    assertThat(left.added).isBetween(HOSTS * SWITCHES, HOSTS * SWITCHES * RULES_OF_ONE / 2);
    assertThat(left.removed).isZero();
    network.linkComes(at, at + 1);
    assertThat(measured("a link returns").added).isEqualTo(left.added);
    network.switchGoes(at);
    Sample gone = measured("a switch goes, with its links and hosts");
    assertThat(gone.removed).isBetween(HOSTS * RULES_OF_ONE, 2 * HOSTS * RULES_OF_ONE);
    network.switchComes(at);
    assertThat(measured("a switch returns, with its links and hosts").added)
        .isEqualTo(gone.added + gone.removed);
  }

  private Sample measured(String change) {
    Sample sample = measured();
    samples.computeIfAbsent(change, absent -> new ArrayList<>()).add(sample);
    return sample;
  }

  private Sample measured() {
    store.added = 0;
    store.removed = 0;
    long before = THREADS.getCurrentThreadCpuTime();
    network.refresh();
    return new Sample(
        (THREADS.getCurrentThreadCpuTime() - before) / 1e6, store.added, store.removed);
  }

  private void write(Path folder, Sample made) throws IOException {
    Files.createDirectories(folder);
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(folder.resolve("result.json").toFile(), JsonEncoding.UTF8)
            .useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeStringField(
          "title", "Processor time of a change in default forwarding of 100,000 rules");
      json.writeNumberField("madeInMillis", made.millis);
      json.writeArrayFieldStart("changes");
      for (Map.Entry<String, List<Sample>> one : samples.entrySet()) {
        change(json, one.getKey(), one.getValue());
      }
      json.writeEndArray();
      json.writeArrayFieldStart("claims");
      for (Map.Entry<String, List<Sample>> one : samples.entrySet()) {
        claim(json, one.getKey(), millis(one.getValue()));
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  /** In the order of the rounds: the first of a kind is the dearest. */
  private static void change(JsonGenerator json, String name, List<Sample> rounds)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("change", name);
    json.writeNumberField("rulesWritten", rounds.get(0).added);
    json.writeNumberField("rulesRemoved", rounds.get(0).removed);
    json.writeArrayFieldStart("millis");
    for (Sample round : rounds) {
      json.writeNumber(round.millis);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The median, between the least and the most. */
  private static void claim(JsonGenerator json, String name, List<Double> millis)
      throws IOException {
    double median = millis.get(millis.size() / 2);
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeNullField("reference");
    json.writeNumberField("target", MOST_MILLIS);
    json.writeNumberField("measured", median);
    json.writeStringField("unit", "ms");
    json.writeBooleanField("holds", median <= MOST_MILLIS);
    json.writeNumberField("repeats", millis.size());
    json.writeArrayFieldStart("interval");
    json.writeNumber(millis.get(0));
    json.writeNumber(millis.get(millis.size() - 1));
    json.writeEndArray();
    if (median > MOST_MILLIS) {
      json.writeStringField("why", "It takes too long on this machine.");
    }
    json.writeEndObject();
  }

  /** The least first. */
  private static List<Double> millis(List<Sample> rounds) {
    return rounds.stream().map(round -> round.millis).sorted().collect(Collectors.toList());
  }
}
