package org.paceline.northbound.restconf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.explain.LinkShare;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** What is said of links is what the example says, which yanglint holds against the module. */
final class ExplainOperationTest {
  private JsonArray links = new JsonArray();

  @BeforeEach
  void readTheExample() throws IOException {
    String text = Files.readString(Path.of("../../yang/examples/reply-explain.json"));
    links =
        JsonParser.parseString(text)
            .getAsJsonObject()
            .getAsJsonObject("paceline-explain:explain")
            .getAsJsonArray("link");
  }

  private static DataRate kbps(long kbps) {
    return DataRate.ofKilobitsPerSecond(kbps);
  }

  @Test
  void aLinkWithRoomIsFilledByNobody() {
    LinkShare wide =
        LinkShare.of(
            LinkId.of("h1", "s1"),
            kbps(950_000),
            0,
            Map.of(SchemeName.ADAPTIVE_RESERVATIONS, kbps(4_000)),
            DataRate.ZERO,
            Set.of());
    assertThat(ExplainOperation.json(wide)).isEqualTo(links.get(0));
  }

  @Test
  void aLinkSaysWhatEachSchemeHasAndWhichOfThemFillIt() {
    Map<SchemeName, DataRate> grantedBy = new EnumMap<>(SchemeName.class);
    grantedBy.put(SchemeName.UTILITY_FAIR, kbps(3_000));
    grantedBy.put(SchemeName.ADAPTIVE_RESERVATIONS, kbps(4_000));
    LinkShare shared =
        LinkShare.of(
            LinkId.of("s1", "s2"),
            kbps(9_500),
            0,
            grantedBy,
            kbps(750),
            Set.of(SchemeName.ADAPTIVE_RESERVATIONS));
    assertThat(ExplainOperation.json(shared)).isEqualTo(links.get(1));
  }
}
