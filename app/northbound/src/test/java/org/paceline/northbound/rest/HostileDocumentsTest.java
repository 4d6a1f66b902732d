package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Documents that do harm where they are taken for what they seem, sent wherever one is read. */
final class HostileDocumentsTest {
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";

  /**
   * Of processor time, since others may want the machine: longer than any takes, and far below what
   * one took that did harm.
   */
  private static final Duration LONG = Duration.ofSeconds(10);

  private static final List<String> OF_JSON =
      List.of(
          "PUT intents",
          "PUT intents/voip",
          "PATCH intents/voip",
          "PUT policy/drafts/new",
          "POST whatif",
          "POST solve",
          "POST solve/present",
          "POST conversations",
          "POST reservations",
          "POST reservations/ask",
          "POST reservations/boost",
          "POST policy/rollback",
          "POST policy/confirm",
          "POST policy/drafts/kept/commit",
          "POST webhooks",
          "POST enrolment-tokens");
  private static final List<String> OF_YAML =
      List.of("POST whatif", "PUT policy/file", "PUT policy/drafts/new");

  @Test
  void eachIsRefusedSoonAndChangesNothing() {
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient rest = new RestClient(paceline);
      assertThat(
              rest.send(
                      "PUT", "policy/drafts/kept", "{\"intents\":[{\"utilityFunction\":\"web\"}]}")
                  .status)
          .isEqualTo(200);
      int before = paceline.log().size();
      Hostile hostile = new Hostile(new Random(19));
      List<String> wrong = new ArrayList<>();
      hostile
          .json()
          .forEach((what, body) -> OF_JSON.forEach(to -> send(rest, to, JSON, what, body, wrong)));
      hostile
          .yaml()
          .forEach((what, body) -> OF_YAML.forEach(to -> send(rest, to, YAML, what, body, wrong)));
      assertThat(wrong).isEmpty();
      assertThat(paceline.log()).hasSize(before);
    }
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void send(
      RestClient rest, String to, String type, String what, String body, List<String> wrong) {
    String[] words = to.split(" ");
    long begin = processorNanos();
    RestClient.Answer answer;
    try {
      answer = rest.send(words[0], words[1], body, Set.of("admin"), Map.of("Content-Type", type));
    } catch (AssertionError noGoodAnswer) {
      wrong.add(to + ", " + what + " (" + type + "): " + noGoodAnswer.getMessage());
      return;
    }
    Duration taken = Duration.ofNanos(processorNanos() - begin);
    boolean isRefused = answer.status >= 400 && answer.status < 500;
    if (!isRefused || taken.compareTo(LONG) > 0 || answer.text.length() > 20_000) {
      String text = answer.text.substring(0, Math.min(300, answer.text.length()));
      wrong.add(
          to + ", " + what + " (" + type + "): " + answer.status + " in " + taken + " " + text);
    }
  }
}
