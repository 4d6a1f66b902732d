package org.paceline.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.paceline.control.model.Alarm;
import org.paceline.northbound.rest.document.DocumentResource;

/**
 * What docs/reference says is what the code says. {@code tools/paceline reference} runs this with
 * {@code reference.write}, and then it writes the pages first.
 */
class ReferencePagesTest {
  private static final Path FOLDER = Path.of("../../docs/reference");

  static List<Page> pages() {
    return Reference.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void thePageIsWhatTheCodeSays(Page page) throws IOException {
    Path file = FOLDER.resolve(page.name());
    if (Boolean.getBoolean("reference.write")) {
      Files.writeString(file, Reference.file(page));
    }
    assertThat(file)
        .as("Maybe \"tools/paceline reference\" writes it anew.")
        .content()
        .isEqualTo(Reference.file(page));
  }

  @Test
  void theFirstPageNamesEachOther() throws IOException {
    String first = Files.readString(FOLDER.resolve("README.md"));
    assertThat(Reference.pages()).allMatch(page -> first.contains("(" + page.name() + ")"));
  }

  @Test
  void theAlarmsOfTheRestAreThoseOfTheCode() throws IOException {
    JsonNode kinds =
        new ObjectMapper()
            .readTree(new DocumentResource().getOpenApi())
            .at("/components/schemas/Alarms/properties/alarms/items/properties/kind/enum");
    assertThat(kinds)
        .extracting(JsonNode::asText)
        .containsExactlyElementsOf(Stream.of(Alarm.Kind.values()).map(Alarm.Kind::word).toList());
  }
}
