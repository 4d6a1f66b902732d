package org.paceline.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All classes of the shell, of every package. */
final class ShellClasses {
  private static final String SUFFIX = ".class";

  private ShellClasses() {}

  static List<Class<?>> all() throws IOException, URISyntaxException {
    Path classes =
        Path.of(PacelineCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
          .sorted()
          .map(ShellClasses::load)
          .collect(Collectors.toList());
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
