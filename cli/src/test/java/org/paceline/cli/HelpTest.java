package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.paceline.cli.conversations.TopCommand;
import org.paceline.cli.webhooks.WebhooksCommand;

/** Every command of the package, whoever adds it, explains itself and completes names. */
final class HelpTest {
  /** Arguments that name something of Paceline's. */
  private static final Set<String> NAMES =
      Set.of(
          "conversation",
          "intent",
          "draft",
          "--draft",
          "id",
          "webhook",
          "token",
          "setting",
          "version",
          "operation",
          "--intent",
          "--host",
          "--user");

  private static final String FROM_CLASSPATH = "classpath:";

  static List<Class<?>> commands() throws IOException, URISyntaxException {
    return ShellClasses.all().stream()
        .filter(type -> type.isAnnotationPresent(Command.class))
        .collect(Collectors.toList());
  }

  private static List<Field> fields(Class<?> command) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> type = command; type != Object.class; type = type.getSuperclass()) {
      fields.addAll(List.of(type.getDeclaredFields()));
    }
    return fields;
  }

  @Test
  void theCommandsAreFound() throws IOException, URISyntaxException {
    assertThat(commands()).contains(TopCommand.class, WebhooksCommand.class);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandHasAPageThatShowsHowItIsCalled(Class<?> command) throws IOException {
    Command said = command.getAnnotation(Command.class);
    assertThat(command.isAnnotationPresent(Service.class)).isTrue();
    assertThat(said.scope()).isEqualTo("paceline");
    assertThat(said.description()).isNotBlank();
    assertThat(said.detailedDescription()).startsWith(FROM_CLASSPATH);
    String page = said.detailedDescription().substring(FROM_CLASSPATH.length());
    try (InputStream text = command.getResourceAsStream(page)) {
      assertThat(text).as(page).isNotNull();
      assertThat(new String(text.readAllBytes(), StandardCharsets.UTF_8))
          .contains("paceline:" + said.name());
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void whatACommandTakesIsDescribedAndNamesAreCompleted(Class<?> command) {
    for (Field field : fields(command)) {
      Option option = field.getAnnotation(Option.class);
      Argument argument = field.getAnnotation(Argument.class);
      if (option != null || argument != null) {
        String name = option != null ? option.name() : argument.name();
        String description = option != null ? option.description() : argument.description();
        assertThat(description).as(name).isNotBlank();
        assertThat(!NAMES.contains(name) || field.isAnnotationPresent(Completion.class))
            .as("completion of " + name)
            .isTrue();
      }
    }
  }

  /** Karaf's help prints whatever a field holds as the default. */
  @ParameterizedTest
  @MethodSource("commands")
  void noDefaultIsANumberThatOnlyMeansNone(Class<?> command) throws ReflectiveOperationException {
    Constructor<?> maker = command.getDeclaredConstructor();
    maker.setAccessible(true);
    Object made = maker.newInstance();
    for (Field field : fields(command)) {
      if (field.isAnnotationPresent(Option.class) || field.isAnnotationPresent(Argument.class)) {
        field.setAccessible(true);
        assertThat(String.valueOf(field.get(made)))
            .as("the default of " + field)
            .doesNotContainPattern("^-|[0-9]{10}");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandWithArgumentsTakesOptionsAfterThem(Class<?> command) {
    List<Field> arguments =
        fields(command).stream()
            .filter(field -> field.isAnnotationPresent(Argument.class))
            .sorted(Comparator.comparingInt(field -> argument(field).index()))
            .collect(Collectors.toList());
    if (arguments.isEmpty()) {
      return;
    }
    Field last = arguments.remove(arguments.size() - 1);
    assertThat(argument(last).name()).isEqualTo(LateOptions.NAME);
    assertThat(argument(last).multiValued()).isTrue();
    assertThat(arguments).isNotEmpty();
    // An option may stand where Karaf expects one of them: of any other type it would be refused.
    assertThat(arguments.subList(1, arguments.size()))
        .allSatisfy(field -> assertThat(field.getType()).isEqualTo(String.class));
  }

  private static Argument argument(Field field) {
    return Objects.requireNonNull(field.getAnnotation(Argument.class));
  }
}
