package org.paceline.json.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.intents.tree.IntentPath;

class CatalogueTest {
  @Test
  void itHoldsTheSixMeasuredTables() {
    assertThat(Catalogue.load()).containsOnlyKeys("dl", "live", "ssh", "vod", "voip", "web");
    assertThat(Catalogue.load().values())
        .allSatisfy(
            function -> {
              assertThat(function.throughputBins()).isEqualTo(30);
              assertThat(function.delayBins()).isEqualTo(30);
            });
  }

  @Test
  void ratesAreReadToTheLastPrintedDigit() {
    assertThat(Catalogue.function("dl").rateMillibits(1)).isEqualTo(268_965_517L);
    assertThat(Catalogue.function("dl").delayNanos(1)).isEqualTo(8_275_862L);
    assertThat(Catalogue.function("ssh").utilityBillionths(0, 1)).isEqualTo(4_930_932_000L);
  }

  @Test
  void eachTableServesTheIntentThatItWasMeasuredFor() {
    var live = Catalogue.defaultTree().resolve("video-streaming/bbb_live").utilityFunction();
    assertThat(live.value().name()).isEqualTo("live");
    assertThat(live.origin()).isEqualTo(IntentPath.of("video-streaming", "bbb_live"));
  }

  @Test
  void whateverIsUnidentifiedIsTreatedAsWebBrowsing() {
    var unknown = Catalogue.defaultTree().resolve("").utilityFunction();
    assertThat(unknown.value().name()).isEqualTo("web");
    assertThat(unknown.origin()).isEqualTo(IntentPath.ROOT);
  }

  @Test
  void theLicenceOfTheTablesShipsWithThem() {
    assertThat(Catalogue.class.getResource("LICENSE-appaware")).isNotNull();
  }
}
