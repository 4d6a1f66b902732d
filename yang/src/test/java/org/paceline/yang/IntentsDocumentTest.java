package org.paceline.yang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.Catalogue;

class IntentsDocumentTest {
  private static final IntentsDocument DOCUMENT = new IntentsDocument(PacelineModel.load());

  @Test
  void theExampleIsReadToTheLastMillibit() throws IOException {
    IntentTree tree = DOCUMENT.read(json(example()));

    assertThat(tree.policies()).hasSize(3);
    UtilityFunction table = tree.resolve("anything/else").utilityFunction().value();
    assertThat(table.throughput(1).millibitsPerSecond()).isEqualTo(1_724_137_931L);
    assertThat(table.utility(1, 1).billionths()).isEqualTo(3_000_000_000L);
    assertThat(tree.resolve("video-streaming/bbb_live").maximumRate())
        .hasValueSatisfying(
            most -> assertThat(most.value()).isEqualTo(DataRate.ofKilobitsPerSecond(3172)));
  }

  @Test
  void whatIsWrittenIsReadAgainTheMeasuredCatalogueIncluded() throws IOException {
    Map<String, UtilityFunction> catalogue = Catalogue.load();
    IntentTree tree = IntentTree.withDefault(catalogue.values().iterator().next());
    for (Map.Entry<String, UtilityFunction> type : catalogue.entrySet()) {
      tree =
          tree.with(
              IntentPath.of("measured", type.getKey()),
              Policy.builder()
                  .utilityFunction(type.getValue())
                  .uploadFunction(type.getValue().named(type.getKey() + "-up"))
                  .minimumRate(DataRate.ofMillibitsPerSecond(17_241_379L))
                  .priority(-3)
                  .maximumRate(DataRate.ofKilobitsPerSecond(900))
                  .scheme(SchemeName.FIXED_RATE)
                  .classWeight(1_000)
                  .kpiModel(KpiModel.VOICE)
                  .build());
    }

    StringWriter written = new StringWriter();
    DOCUMENT.write(tree, written);

    assertThat(DOCUMENT.read(json(written.toString()))).isEqualTo(tree);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"utility\": \"3.0\"     | \"utility\": \"5.5\"       | 5.5",
        ", \"utility\": \"3.0\"   | ''                         | utility",
        "\"delay\": \"200.0\", \"utility\": \"3.0\" | \"delay\": \"300.0\", \"utility\": \"3.0\" |"
            + " same",
        "\"path\": \"/\"          | \"path\": \"video\"        | no intent with the path /",
        "\"path\": \"/\"          | \"path\": \"/video\"       | /video",
        "\"minimum-rate\": \"200.0\" | \"weight\": \"2.0\"     | weight",
        "\"minimum-rate\": \"200.0\" | \"minimum-rate\": \"4000.0\" | above the greatest",
        "\"minimum-rate\": \"200.0\" | \"class-weight\": 0        | class-weight",
        "\"minimum-rate\": \"200.0\" | \"kpi-model\": \"game\"   | kpi-model",
        "\"minimum-rate\": \"200.0\" | \"wait\": 2                | wait",
        "\"maximum-rate\": \"3172.0\" | \"utility-function\": \"hd\" | there is no utility function"
            + " (hd)",
        "\"upload-utility-function\": \"whatever\" | \"upload-utility-function\": \"hd\" |"
            + " there is no utility function (hd)",
        "\"minimum-rate\": \"486.0\"  | \"minimum-rate\": \"-1.0\"   | -1",
        "\"priority\": 10         | \"priority\": \"many\"     | many",
        "\"step\"                 | \"steps\"                  | steps",
        "paceline-intents:intents | paceline-intents:intent    | intent",
      })
  void whatIsWrongIsNamed(String right, String wrong, String named) throws IOException {
    String text = example();
    assertThat(text).contains(right);
    String broken = text.replace(right, wrong);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DOCUMENT.read(json(broken)))
        .withMessageContaining(named);
  }

  @Test
  void whatIsNoDocumentIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> DOCUMENT.read(json("{}")));
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  private static String example() throws IOException {
    return Files.readString(Path.of("examples/intents.json"));
  }
}
