package org.paceline.onos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.paceline.control.plan.PlannerSettings;

final class OptionsTest {
  /**
   * ONOS says "does not exist" to whatever this file does not name, and answers 207 all the same.
   */
  @Test
  void everyOptionIsDefinedForOnos() throws IOException {
    assertThat(definitions().keySet()).containsExactlyInAnyOrderElementsOf(names());
  }

  @Test
  void whatOnosSetsByDefaultIsWhatThePlannerDoesByDefault() throws IOException {
    Dictionary<String, Object> properties = new Hashtable<>();
    definitions().forEach((name, columns) -> properties.put(name, columns.get(2)));
    assertThat(new Options(properties).planner())
        .isEqualTo(new Options(new Hashtable<>()).planner());
  }

  @Test
  void aNumberThatIsNoneIsRefusedByName() {
    Dictionary<String, Object> properties = new Hashtable<>(Map.of(Options.LEND, "six"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Options(properties).planner())
        .withMessage("The property (lendThousandths) must be a whole number, not (six).");
    assertThat(PlannerSettings.DEFAULT.lendThousandths()).isZero();
  }

  @Test
  void aGatewayThatIsNoAddressIsRefused() {
    Dictionary<String, Object> properties = new Hashtable<>(Map.of(Options.GATEWAY, "router"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Options(properties).planner())
        .withMessageContaining("(router)");
  }

  private static List<String> names() {
    List<String> names =
        Stream.of(Options.class.getDeclaredFields())
            .filter(field -> Modifier.isStatic(field.getModifiers()))
            .filter(field -> field.getType() == String.class)
            .map(
                field -> {
                  try {
                    return (String) Objects.requireNonNull(field.get(null));
                  } catch (IllegalAccessException e) {
                    throw new AssertionError(field.getName(), e);
                  }
                })
            .collect(Collectors.toList());
    assertThat(names).isNotEmpty();
    return names;
  }

  private static Map<String, List<String>> definitions() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            PacelineComponent.class.getResourceAsStream("PacelineComponent.cfgdef"))) {
      Map<String, List<String>> definitions = new TreeMap<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> List.of(line.split("\\|")))
          .forEach(columns -> definitions.put(columns.get(0), columns));
      return definitions;
    }
  }
}
