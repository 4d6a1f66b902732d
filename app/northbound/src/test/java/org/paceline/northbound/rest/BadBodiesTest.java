package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What cannot be read changes nothing, whoever sends it. */
final class BadBodiesTest {
  private static final int BODIES = 1_000;
  private static final String CALL =
      "{\"id\":\"call\",\"intent\":\"voip\",\"localAddress\":\"10.0.0.1\","
          + "\"remoteAddress\":\"10.0.0.2\",\"localPort\":5060}";
  private static final String TREE =
      "{\"intents\":[{\"utilityFunction\":\"web\"},{\"class\":\"voip\",\"priority\":3}]}";
  private static final List<String[]> WRITES =
      List.of(
          new String[] {"POST", "conversations", CALL},
          new String[] {"PUT", "intents", TREE},
          new String[] {"PUT", "intents/voip", "{\"minimumRateKbps\":64,\"priority\":3}"},
          new String[] {"PATCH", "intents/voip", "{\"minimumRateKbps\":2,\"priority\":null}"},
          new String[] {"PUT", "policy/drafts/new", TREE},
          new String[] {"POST", "policy/drafts/kept/commit", "{\"confirmWithinSeconds\":60}"},
          new String[] {"POST", "policy/rollback", "{\"to\":1}"},
          new String[] {"POST", "policy/confirm", "{}"});

  @Test
  void badBodiesLeaveStateByteForByteUnchanged() throws InterruptedException {
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient rest = new RestClient(paceline);
      paceline.talk("web", "web-browsing");
      paceline.settle();
      assertThat(rest.send("PUT", "intents/voip", "{\"priority\":1}").status).isEqualTo(200);
      assertThat(rest.send("PUT", "policy/drafts/kept", TREE).status).isEqualTo(200);
      paceline.settle();
      String before = state(rest);
      Random random = new Random(1);
      for (int i = 0; i < BODIES; i++) {
        String[] write = WRITES.get(i % WRITES.size());
        String bad = spoilt(write[2], random);
        RestClient.Answer answer =
            rest.send(write[0], write[1], bad, Set.of("admin"), Map.of("Idempotency-Key", "k" + i));
        assertThat(answer.status).as(write[0] + " " + write[1] + " " + bad).isEqualTo(400);
      }
      assertThat(state(rest)).isEqualTo(before);
    }
  }

  @Test
  void aDeepBodyIsRefusedAndEndsNoStack() throws InterruptedException {
    String deep = "{\"a\":".repeat(500_000);
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient rest = new RestClient(paceline);
      for (String[] write : WRITES) {
        RestClient.Answer answer = rest.send(write[0], write[1], deep);
        assertThat(answer.status).as(write[0] + " " + write[1]).isEqualTo(400);
        assertThat(answer.text).contains("64 levels deep");
      }
      assertThat(
              rest.send(
                      "PUT",
                      "policy/file",
                      deep,
                      Set.of("admin"),
                      Map.of("Content-Type", "application/yaml"))
                  .text)
          .contains("64 levels deep");
    }
  }

  private static String state(RestClient rest) {
    List<String> all = new ArrayList<>();
    for (String path :
        List.of(
            "intents",
            "conversations",
            "policy/versions",
            "policy/versions/2",
            "policy/drafts",
            "policy/drafts/kept",
            "changes",
            "changes/1",
            "plan")) {
      all.add(rest.get(path).text);
    }
    return String.join("\n", all);
  }

  /** In one of many ways, each of which no reader can take for good. */
  private static String spoilt(String good, Random random) {
    String inner = good.substring(1, good.length() - 1);
    switch (random.nextInt(8)) {
      case 0:
        return good.substring(0, 1 + random.nextInt(good.length() - 1));
      case 1:
        return good + "}";
      case 2:
        return "[" + good + "]";
      case 3:
        return "{\"unknown"
            + random.nextInt()
            + "\":1"
            + (inner.isEmpty() ? "" : "," + inner)
            + "}";
      case 4:
        return "{" + (inner.isEmpty() ? "" : inner + ",") + "\"x\":" + "[".repeat(2_000) + "}";
      case 5:
        return Integer.toString(random.nextInt());
      case 6:
        return "\u0000" + good;
      default:
        return good.replaceAll(":(\"[^\"]*\"|\\d+|\\[.*])", ":{}").replace("{}", "{\"a\":null}");
    }
  }
}
