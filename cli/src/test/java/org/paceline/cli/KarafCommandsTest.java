package org.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Karaf finds a command or a completer only in a package that the bundle's header Karaf-Commands
 * names: one that lies elsewhere would be missing from the shell without a word.
 */
final class KarafCommandsTest {
  private static final Pattern HEADER = Pattern.compile("<Karaf-Commands>([^<]+)<");

  @Test
  void karafFindsAllCommandsAndCompleters() throws IOException, URISyntaxException {
    String header = header();
    List<Class<?>> services =
        ShellClasses.all().stream()
            .filter(type -> type.isAnnotationPresent(Service.class))
            .collect(Collectors.toList());
    assertThat(services).hasSizeGreaterThan(40);
    assertThat(services)
        .allSatisfy(type -> assertThat(isNamed(type.getPackageName(), header)).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "a.b, a.b, true",
    "a.b.c, a.b, false",
    "a.b, a.b.*, true",
    "a.b.c.d, a.b.*, true",
    "a.bc, a.b.*, false",
    "a.c, 'a.b, a.c', true"
  })
  void aStarNamesThePackagesBelowToo(String name, String header, boolean isNamed) {
    assertThat(isNamed(name, header)).isEqualTo(isNamed);
  }

  private static String header() throws IOException {
    Matcher header = HEADER.matcher(Files.readString(Path.of("../app/onos/pom.xml")));
    assertThat(header.find()).isTrue();
    return header.group(1);
  }

  /** As Karaf's CommandExtension reads it. */
  private static boolean isNamed(String name, String header) {
    return Arrays.stream(header.split(","))
        .map(String::strip)
        .anyMatch(
            one ->
                one.endsWith(".*")
                    ? (name + ".").startsWith(one.substring(0, one.length() - 1))
                    : name.equals(one));
  }
}
