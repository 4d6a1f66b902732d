package org.paceline.reference;

import static org.paceline.reference.MarkdownTable.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;

/** Each shell command, from the annotations by which Karaf knows it. */
final class ShellPage implements Page {
  private static final Set<String> COMMON = Set.of("--json", "--ticket");
  private static final String HELP = "classpath:";

  @Override
  public String name() {
    return "shell.md";
  }

  @Override
  public String text() throws IOException {
    Map<String, List<Class<?>>> rooms = new TreeMap<>();
    for (Class<?> command : commands()) {
      String room = command.getPackageName().replaceFirst(".*\\.", "");
      rooms.computeIfAbsent(room, name -> new ArrayList<>()).add(command);
    }
    StringBuilder page =
        new StringBuilder(
            "# Shell commands\n\n"
                + "Each takes `--json`, for programs, and `--help`. Those that change something"
                + " take `--ticket`, the change ticket that asks for it. Options may stand before"
                + " and after arguments.\n\n");
    MarkdownTable all = new MarkdownTable("command", "what it does");
    rooms.values().stream()
        .flatMap(List::stream)
        .forEach(
            command ->
                all.row(
                    "[" + code(name(command)) + "](#" + anchor(command) + ")",
                    command.getAnnotation(Command.class).description()));
    page.append(all);
    rooms.forEach(
        (room, commands) -> {
          page.append("## ")
              .append(Character.toUpperCase(room.charAt(0)))
              .append(room.substring(1));
          page.append("\n\n");
          Set<String> help = new LinkedHashSet<>();
          for (Class<?> command : commands) {
            page.append(section(command));
            help.add(help(command));
          }
          help.remove("");
          page.append("### Examples of ").append(room).append("\n\n");
          help.forEach(text -> page.append(text.strip()).append("\n\n"));
        });
    return page.toString();
  }

  private static String section(Class<?> command) {
    StringBuilder usage = new StringBuilder(name(command));
    MarkdownTable table = new MarkdownTable("", "", "default");
    for (Argument argument : arguments(command)) {
      if (!argument.name().equals(LateOptions.NAME)) {
        usage.append(argument.required() ? " " + upper(argument) : " [" + upper(argument) + "]");
        table.row(code(upper(argument)), argument.description(), "");
      }
    }
    Object fresh = fresh(command);
    fields(command, Option.class).stream()
        .sorted(Comparator.comparing(field -> field.getAnnotation(Option.class).name()))
        .forEach(
            field -> {
              Option option = field.getAnnotation(Option.class);
              if (!COMMON.contains(option.name())) {
                table.row(code(option.name()), option.description(), byDefault(field, fresh));
              }
            });
    boolean takesTicket =
        fields(command, Option.class).stream()
            .anyMatch(field -> field.getAnnotation(Option.class).name().equals("--ticket"));
    return "### "
        + name(command)
        + "\n\n"
        + command.getAnnotation(Command.class).description()
        + "."
        + (takesTicket ? " Takes `--ticket`." : "")
        + "\n\n    "
        + usage
        + "\n\n"
        + (table.isEmpty() ? "" : table);
  }

  private static String upper(Argument argument) {
    return argument.name().toUpperCase(java.util.Locale.ROOT);
  }

  private static String byDefault(Field field, Object command) {
    try {
      field.setAccessible(true);
      Object value = field.get(command);
      boolean isSaid =
          value instanceof Number || value instanceof String && !((String) value).isEmpty();
      return isSaid ? code(String.valueOf(value)) : "";
    } catch (IllegalAccessException e) {
      throw new AssertionError(field + " was made accessible", e);
    }
  }

  private static Object fresh(Class<?> command) {
    try {
      return command.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Karaf could not make a " + command + " either.", e);
    }
  }

  private static List<Argument> arguments(Class<?> command) {
    return fields(command, Argument.class).stream()
        .map(field -> field.getAnnotation(Argument.class))
        .sorted(Comparator.comparing(Argument::index))
        .toList();
  }

  private static List<Field> fields(
      Class<?> command, Class<? extends java.lang.annotation.Annotation> annotation) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> type = command; type != Object.class; type = type.getSuperclass()) {
      Stream.of(type.getDeclaredFields())
          .filter(field -> field.isAnnotationPresent(annotation))
          .forEach(fields::add);
    }
    return fields;
  }

  private static String name(Class<?> command) {
    Command annotation = command.getAnnotation(Command.class);
    return annotation.scope() + ":" + annotation.name();
  }

  /** As GitHub makes it of a heading. */
  private static String anchor(Class<?> command) {
    return name(command).replace(":", "");
  }

  private static String help(Class<?> command) {
    String where = command.getAnnotation(Command.class).detailedDescription();
    if (!where.startsWith(HELP)) {
      return where;
    }
    try (InputStream text = command.getResourceAsStream(where.substring(HELP.length()))) {
      if (text == null) {
        throw new IllegalStateException("The help of " + name(command) + " is not there: " + where);
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Class<?>> commands() throws IOException {
    Path place;
    try {
      place =
          Path.of(
              PacelineCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    if (Files.isDirectory(place)) {
      return commands(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return commands(jar.getPath("/"));
    }
  }

  private static List<Class<?>> commands(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith("Command.class"))
          .map(file -> load(file.replaceFirst("\\.class$", "").replace('/', '.')))
          .<Class<?>>map(type -> type)
          .filter(type -> type.isAnnotationPresent(Command.class))
          .sorted(Comparator.comparing(ShellPage::name))
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
