package org.paceline.northbound.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordFilesTest {
  @Test
  void aFileHasARecordALineAndNobodyElseReadsIt(@TempDir Path temporary) throws IOException {
    Path directory = temporary.resolve("data").resolve("paceline");
    String place = files(directory).write(101, 200, List.of("{\"n\":1}", "{\"n\":2}"));
    Path file = directory.resolve("changes-000000101-000000200.jsonl");
    assertThat(place).isEqualTo("It was exported to (" + file + ") on the node n1.");
    assertThat(Files.readAllLines(file)).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(rights(file)).isEqualTo("rw-------");
    assertThat(rights(directory)).isEqualTo("rwx------");
    assertThat(names(directory)).containsExactly("changes-000000101-000000200.jsonl");
  }

  @Test
  void whatIsThereStaysAndWhatDiffersHasANameOfItsOwn(@TempDir Path temporary) throws IOException {
    List<String> first = List.of("1", "2");
    String place = files(temporary).write(1, 100, first);
    assertThat(files(temporary).write(1, 100, first)).isEqualTo(place);
    List<String> other = List.of("1", "3");
    String elsewhere = files(temporary).write(1, 100, other);
    assertThat(elsewhere).contains("/changes-000000001-000000100-2.jsonl)");
    assertThat(files(temporary).write(1, 100, other)).isEqualTo(elsewhere);
    assertThat(names(temporary))
        .containsExactly(
            "changes-000000001-000000100-2.jsonl", "changes-000000001-000000100.jsonl");
    assertThat(Files.readAllLines(temporary.resolve("changes-000000001-000000100.jsonl")))
        .isEqualTo(first);
    assertThat(Files.readAllLines(temporary.resolve("changes-000000001-000000100-2.jsonl")))
        .isEqualTo(other);
  }

  @Test
  void whatBreaksOffLeavesTheFileBeforeAsItWas(@TempDir Path temporary) throws IOException {
    files(temporary).write(1, 100, List.of("before"));
    Iterable<String> broken =
        () ->
            Stream.of("a", "b")
                .map(
                    text -> {
                      if (text.equals("b")) {
                        throw new IllegalStateException("gone");
                      }
                      return text;
                    })
                .iterator();
    assertThatThrownBy(() -> files(temporary).write(1, 100, broken))
        .isInstanceOf(IllegalStateException.class);
    assertThat(names(temporary)).containsExactly("changes-000000001-000000100.jsonl");
    assertThat(Files.readAllLines(temporary.resolve("changes-000000001-000000100.jsonl")))
        .containsExactly("before");
  }

  @Test
  void whatACrashLeftOrALinkOfSomebodyElseIsNotWrittenInto(@TempDir Path temporary)
      throws IOException {
    Path others = Files.writeString(temporary.resolve("others"), "mine");
    Path directory = Files.createDirectory(temporary.resolve("here"));
    Files.createSymbolicLink(directory.resolve("changes-000000001-000000100.unfinished"), others);
    files(directory).write(1, 100, List.of("line"));
    assertThat(Files.readString(others)).isEqualTo("mine");
    assertThat(names(directory)).containsExactly("changes-000000001-000000100.jsonl");
  }

  @Test
  void aRefusalNamesTheFileAndSaysWhy(@TempDir Path temporary) throws IOException {
    Path taken = Files.writeString(temporary.resolve("taken"), "a file");
    assertThatThrownBy(() -> files(taken).write(1, 100, List.of("line")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("(" + taken + "/changes-000000001-000000100) cannot be written: ")
        .hasMessageEndingWith(".");
  }

  private static RecordFiles<String> files(Path directory) {
    return new RecordFiles<>(directory, "changes", "n1", text -> text);
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
    }
  }
}
