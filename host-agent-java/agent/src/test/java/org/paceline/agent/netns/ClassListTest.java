package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The list that the package's archive of classes is made of: what an agent loads beyond Java's own
 * list. With {@code -Dclasslist.write=true} it is written anew.
 */
class ClassListTest extends InNamespaces {
  private static final Path LIST = Path.of("src/deb/files/classlist");
  private static final Pattern LOADED =
      Pattern.compile("\\[class,load\\] ([^\\s/]+) source: (jrt:|file:|shared objects file)");

  /** Percent of what is loaded. More would be noticed in the processor time of a start. */
  private static final int MOST_MISSING = 5;

  @Test
  void nearlyAllThatAnAgentLoadsComesFromItsArchive() throws Exception {
    assertThat(Sh.ARCHIVE)
        .as("Without it all is missing, Java's own too. Maybe see what archive-classes says there")
        .exists();
    List<MatchResult> loaded = loaded();
    TreeSet<String> missing =
        loaded.stream()
            .filter(one -> !one.group(2).startsWith("shared"))
            .map(one -> one.group(1).replace('.', '/'))
            .collect(Collectors.toCollection(TreeSet::new));
    if (Boolean.getBoolean("classlist.write")) {
      missing.addAll(Files.readAllLines(LIST));
      missing.retainAll(
          loaded.stream().map(one -> one.group(1).replace('.', '/')).collect(Collectors.toSet()));
      Files.write(LIST, missing);
      return;
    }
    System.out.println(missing.size() + " of " + loaded.size() + " classes are in no archive");
    assertThat(missing.size() * 100.0 / loaded.size())
        .as(
            "%% of classes that are in no archive. Maybe run this test with"
                + " -Dclasslist.write=true, which writes the list (%s) anew. Missing: %s",
            LIST, missing)
        .isLessThan(MOST_MISSING);
  }

  /** By an agent with what most hosts configure, from start to end, and by commands beside it. */
  private List<MatchResult> loaded() throws Exception {
    Path house = directory.resolve("house");
    Sh.run("../../tools/certificates", house.toString(), "h1");
    controller.close();
    controller = new TestController(TwoHosts.CONTROLLER_ADDRESS, 0, Optional.of(house));
    String more =
        "tls: {authority: %1$s/ca.pem, certificate: %1$s/h1.pem, key: %1$s/h1.key}%n"
            .formatted(house);
    more += "metrics: 127.0.0.1:9560\napplications: {socket: " + directory + "/applications}\n";
    Path logs = Files.createDirectory(directory.resolve("loaded"));
    List<String> logging =
        List.of("env", "JAVA_TOOL_OPTIONS=-Xlog:class+load:file=" + logs.resolve("%p"));
    try (AgentProcess agent = agentWith(logging, more)) {
      awaitAttached();
      try (Download download = download(1)) {
        grant(download.id(), FIVE_MEGABIT);
        String config = directory.resolve("agent.yaml").toString();
        for (List<String> command :
            List.of(
                List.of("status"),
                List.of("check", "--config", config),
                List.of("explain", "--config", config))) {
          hosts.onSender(Sh.command(logging, command.toArray(String[]::new)));
        }
      }
      assertThat(agent.stop()).isZero();
    }
    List<MatchResult> loaded = new ArrayList<>();
    try (DirectoryStream<Path> each = Files.newDirectoryStream(logs)) {
      for (Path log : each) {
        LOADED.matcher(Files.readString(log)).results().forEach(loaded::add);
      }
    }
    return loaded;
  }
}
