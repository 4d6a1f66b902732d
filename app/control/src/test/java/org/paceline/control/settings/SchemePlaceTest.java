package org.paceline.control.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;

final class SchemePlaceTest {
  @Test
  void sitesAndLinksAreReadInTheirOrder() {
    String written =
        " 192.0.2.7/24 = service-classes,of:01 > of:02=elephant-isolation,2001:db8::/32=utility-fair";
    assertThat(SchemePlace.parse(written))
        .map(SchemePlace::toString)
        .containsExactly(
            "192.0.2.0/24=service-classes",
            "of:01>of:02=elephant-isolation",
            "2001:db8::/32=utility-fair");
    assertThat(SchemePlace.parse(written).get(1).link()).hasValue(LinkId.of("of:01", "of:02"));
    assertThat(SchemePlace.parse(written).get(1).scheme()).isEqualTo(SchemeName.ELEPHANT_ISOLATION);
    assertThat(SchemePlace.parse("")).isEmpty();
  }

  /**
   * What it says must be corrected can be: the setting's error has it, and goes on to an example.
   */
  @ParameterizedTest
  @CsvSource({
    "192.0.2.0/24, must be PREFIX=SCHEME",
    "=service-classes, must be PREFIX=SCHEME",
    "192.0.2.0/24=classes, There is no scheme",
    "192.0.2.0/24=fixed-rate, Maybe set it for a branch",
    "192.0.2.0/33=service-classes, 192.0.2.0/33",
    "of:01>=service-classes, must be two nodes",
    "of:01>of:01=service-classes, must be two nodes",
    "of:01>of:02>of:03=service-classes, must be two nodes"
  })
  void whatIsNoPlaceIsRefused(String written, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SchemePlace.parse(written))
        .withMessageContaining(why);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingTable.SCHEME_PLACES.read(written))
        .withMessageContaining("schemePlaces (" + written + ") must be PLACE=SCHEME");
  }
}
