package org.paceline.json.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.paceline.intents.utility.UtilityFunction;

class NamedTablesTest {
  @ParameterizedTest
  @ValueSource(strings = {"backup", "desktop", "g711", "update"})
  void whatPacelineMeasuredItselfNeverFallsWithThroughputNorRisesWithDelay(String name) {
    UtilityFunction table = Objects.requireNonNull(NamedTables.all().get(name));
    for (int t = 0; t < table.throughputBins(); t++) {
      for (int d = 0; d < table.delayBins(); d++) {
        if (t > 0) {
          assertThat(table.utility(t, d)).isGreaterThanOrEqualTo(table.utility(t - 1, d));
        }
        if (d > 0) {
          assertThat(table.utility(t, d)).isLessThanOrEqualTo(table.utility(t, d - 1));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"backup", "desktop", "g711", "update"})
  void whatPacelineMeasuredItselfSaysByWhichCommandAndModel(String name) throws IOException {
    try (InputStream in = NamedTables.class.getResourceAsStream(name + ".json")) {
      assertThat(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8))
          .contains("tools/paceline measure-utility")
          .contains("; model ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dl", "live", "ssh", "vod", "voip", "web"})
  void theCataloguesStandAmongThem(String name) {
    assertThat(NamedTables.all()).containsEntry(name, Catalogue.function(name));
  }
}
