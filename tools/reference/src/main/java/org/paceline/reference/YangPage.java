package org.paceline.reference;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tree of each of the project's YANG modules (RFC 8340), as yanglint prints it. */
final class YangPage implements Page {
  private static final Path FOLDER = Path.of("../../yang/src/main/resources/yang");
  private static final Pattern DESCRIPTION =
      Pattern.compile("^ {2}description\\s+\"([^\"]+)\"", Pattern.MULTILINE);

  @Override
  public String name() {
    return "yang.md";
  }

  @Override
  public String text() throws IOException {
    StringBuilder page =
        new StringBuilder(
            "# YANG modules\n\n"
                + "What RESTCONF serves ([how](../operate/programs.md#restconf)), as trees of RFC"
                + " 8340: `rw` can be written, `ro` is state, `-x` an operation, `-n` a"
                + " notification;\n`?` may be absent, `*` is a list. The modules themselves are in"
                + " [yang/](../../yang/README.md).\n\n");
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(f -> nameOf(f).startsWith("paceline-")).sorted().toList()) {
        String name = nameOf(file).replaceFirst("@.*", "");
        page.append("## ").append(name).append("\n\n").append(description(file)).append("\n\n");
        String tree = tree(file).strip();
        // A module of types alone has none.
        if (tree.contains("+--")) {
          page.append("```\n").append(tree).append("\n```\n\n");
        }
      }
    }
    return page.toString();
  }

  private static String description(Path module) throws IOException {
    Matcher matcher = DESCRIPTION.matcher(Files.readString(module));
    if (!matcher.find()) {
      throw new IllegalStateException("The module (" + module + ") has no description.");
    }
    return matcher.group(1).replaceAll("\\s+", " ").strip();
  }

  private static String tree(Path module) throws IOException {
    List<String> command = new ArrayList<>(List.of("yanglint", "-p", FOLDER.toString()));
    // Those of the IETF are found by their imports; whoever augments one of them shows its part.
    command.addAll(List.of("-f", "tree", module.toString()));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException(
          "yanglint cannot be run. Maybe \"tools/paceline setup\" installs it, or apt-get install"
              + " libyang2-tools.",
          e);
    }
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException("yanglint refuses the module (" + module + "): " + text);
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Nobody waited for yanglint.", e);
    }
  }

  private static String nameOf(Path file) {
    return FOLDER.relativize(file).toString();
  }
}
