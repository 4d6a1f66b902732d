package org.paceline.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.RangeSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.Uint32TypeDefinition;
import org.paceline.control.settings.Options;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.Setting;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.SettingValues;
import org.paceline.gateway.AgentEndpoint;
import org.paceline.yang.PacelineModel;

/** What others say of the settings is what the table says. */
final class OptionsTest {
  @Test
  void theBuildHasToldOnosOfEachSettingWithItsTypeAndDefault() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            PacelineComponent.class.getResourceAsStream("PacelineComponent.cfgdef"))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines())
          .hasSameSizeAs(SettingTable.all())
          .contains(
              "usableThousandths|INTEGER|960|How much of a link's capacity conversations may use,"
                  + " in thousandths",
              "port|INTEGER|9559|TCP port for host agents; takes effect when the application"
                  + " starts again")
          .anyMatch(line -> line.startsWith("sameUtilityPerType|BOOLEAN|true|"))
          .anyMatch(line -> line.startsWith("gateway|STRING||"))
          .allMatch(line -> line.split("\\|", -1).length == 4);
    }
  }

  /** RESTCONF's clients see the ranges there. */
  @Test
  void theYangModuleHasEachSettingWithItsRange() {
    Map<String, DataSchemaNode> leaves =
        PacelineModel.load().findModules("paceline-settings").iterator().next().getRpcs().stream()
            .filter(rpc -> rpc.getQName().getLocalName().equals("change-settings"))
            .flatMap(rpc -> rpc.getInput().getChildNodes().stream())
            .collect(Collectors.toMap(leaf -> leaf.getQName().getLocalName(), leaf -> leaf));
    assertThat(leaves).hasSameSizeAs(SettingTable.all());
    for (Setting setting : SettingTable.all()) {
      String name = setting.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      TypeDefinition<?> type =
          ((LeafSchemaNode) Objects.requireNonNull(leaves.get(name))).getType();
      if (setting.kind() == Setting.Kind.NUMBER) {
        RangeSet<?> ranges =
            ((Uint32TypeDefinition) type).getRangeConstraint().orElseThrow().getAllowedRanges();
        assertThat(ranges.toString())
            .as(name)
            .contains(setting.greatest() + "]")
            .contains(
                setting.isZeroAllowed() && setting.least() == 1
                    ? "[0.."
                    : "[" + setting.least() + "..");
        assertThat(ranges.asRanges().size())
            .isEqualTo(setting.isZeroAllowed() && setting.least() > 1 ? 2 : 1);
      } else if (setting.kind() == Setting.Kind.WORD) {
        assertThat(((EnumTypeDefinition) type).getValues())
            .extracting(EnumTypeDefinition.EnumPair::getName)
            .containsExactlyElementsOf(setting.words());
      }
    }
  }

  @Test
  void whatIsStoredReachesThePlanner() {
    Map<String, String> stored =
        Map.of("mode", "shadow", "leaseSeconds", "0", "sameUtilityPerType", "false");
    PlannerSettings planner =
        new Options(SettingValues.of(name -> Optional.ofNullable(stored.get(name)))).planner();
    assertThat(planner.mode()).isEqualTo(PlanMode.SHADOW);
    assertThat(planner.lease()).isZero();
  }

  @Test
  void agentsWithoutCertificatesCallFromThisMachineOnlyUnlessItIsSaidInSoManyWords() {
    assertThat(endpoint(Map.of())).contains("127.0.0.1:9559", "this machine only");
    assertThat(endpoint(Map.of("bindAddress", "192.0.2.7")))
        .contains("127.0.0.1:9559", "this machine only");
    assertThat(endpoint(Map.of("agentsWithoutCertificates", "accepted-from-anywhere")))
        .contains("0.0.0.0:9559", "FROM ANYBODY");
    assertThat(endpoint(Map.of("agentsWithoutCertificates", "yes"))).contains("this machine only");
    assertThat(endpoint(Map.of("tlsDirectory", "/etc/paceline/tls", "bindAddress", "192.0.2.7")))
        .isEqualTo("192.0.2.7:9559, with certificates of both sides");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingTable.WITHOUT_CERTIFICATES.read("yes"))
        .withMessageContaining("(yes)")
        .withMessageContaining("Maybe only-from-this-machine");
  }

  private static String endpoint(Map<String, String> stored) {
    return AgentEndpoint.of(SettingValues.of(name -> Optional.ofNullable(stored.get(name)))).text();
  }
}
