package org.paceline.bench.agent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The agent's jar, as the package starts it.
 *
 * @param sharing Java's options for the archive of its classes; none where there is no archive
 */
record Program(Path jar, List<String> sharing) {
  /** With the archive that its build has made beside it, or without one. */
  static Program of(Path jar) {
    Path archive = Path.of(jar.toString().replaceFirst("\\.jar$", ".jsa"));
    return new Program(
        jar,
        Files.exists(archive)
            ? List.of(
                "-XX:SharedArchiveFile=" + archive,
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0")
            : List.of());
  }

  /** As Java starts it by itself, from the archive of Java's own classes. */
  Program withoutArchive() {
    return new Program(jar, List.of());
  }

  /** The words of a command up to its class path. */
  List<String> started(String... memory) {
    List<String> words = new ArrayList<>(List.of("java"));
    words.addAll(sharing);
    words.addAll(List.of(memory));
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    return words;
  }
}
