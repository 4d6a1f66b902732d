package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.paceline.northbound.rest.request.Problems;

final class BodilessTest {
  private static final Map<String, String> TYPE = Map.of("Content-Type", "application/x-anything");

  @Test
  void aContentTypeWithoutABodyIsNobodysConcern() {
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient rest = new RestClient(paceline);
      String tree = rest.get("intents").text;
      assertThat(rest.send("PUT", "policy/drafts/a", tree).status).isEqualTo(200);
      assertThat(rest.send("GET", "policy/drafts/a", "", Set.of("admin"), TYPE).status)
          .isEqualTo(200);
      assertThat(rest.send("DELETE", "policy/drafts/a", "", Set.of("admin"), TYPE).status)
          .isEqualTo(204);
      assertThat(rest.send("PUT", "policy/drafts/a", tree, Set.of("admin"), TYPE).status)
          .isEqualTo(415);
    }
  }

  @Test
  void whoDeletesNeedAcceptNoMoreThanTheTypeOfRefusals() {
    Map<String, String> accept = Map.of("Accept", Problems.MEDIA_TYPE);
    try (SmallPaceline paceline = new SmallPaceline()) {
      RestClient rest = new RestClient(paceline);
      assertThat(rest.send("PUT", "policy/drafts/a", rest.get("intents").text).status)
          .isEqualTo(200);
      assertThat(rest.send("DELETE", "policy/drafts/a", "", Set.of("admin"), accept).status)
          .isEqualTo(204);
      assertThat(rest.send("DELETE", "policy/drafts/a", "", Set.of("admin"), accept).status)
          .isEqualTo(404);
    }
  }
}
