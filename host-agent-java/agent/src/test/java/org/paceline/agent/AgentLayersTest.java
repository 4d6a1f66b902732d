package org.paceline.agent;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.house.PackageRules;

/** The layers of the agent: each uses only those before it, and none of its neighbours. */
final class AgentLayersTest {
  private static final String ROOT = "org.paceline.agent";

  /** From the bottom to the top; the packages of one line do not know each other. */
  private static final List<Set<String>> LAYERS =
      List.of(
          Set.of("runtime", "flow", "posix"),
          Set.of("netlink", "bpf"),
          Set.of("sockets"),
          Set.of("naming"),
          Set.of("application", "enforce", "peer"),
          Set.of("config", "conversation", "enforce.htb", "enforce.edt", "enforce.socket"),
          Set.of("enforce.ingress"),
          Set.of("pacing"),
          Set.of("tracking", "ports"),
          Set.of("session", "smallnetwork"),
          Set.of("status"),
          Set.of("daemon"),
          Set.of("command"),
          Set.of(""));

  // Read once: it takes longer than all that is asked of it.
  private static final JavaClasses CLASSES = PackageRules.read(ROOT);

  @Test
  void packagesAreSmallAndGoInNoCircle() throws IOException {
    PackageRules.hold(ROOT, Path.of("src/main/java"), CLASSES);
  }

  @Test
  void aLayerUsesOnlyThoseBeforeIt() {
    Set<String> below = new HashSet<>();
    for (Set<String> layer : LAYERS) {
      for (String name : layer) {
        Set<String> known = new HashSet<>(below);
        known.add(name);
        noClasses()
            .that(describe("are of (" + name + ")", c -> packageOf(c).equals(name)))
            .should()
            .dependOnClassesThat(
                describe(
                    "are of " + ROOT + " but of none of " + known,
                    c -> isAgents(c) && !known.contains(packageOf(c))))
            .check(CLASSES);
      }
      below.addAll(layer);
    }
  }

  /** All of the project reads YAML by one library (decision 024): SnakeYAML Engine. */
  @Test
  void noOtherLibraryReadsYaml() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.yaml..", "com.fasterxml.jackson.dataformat..")
        .check(CLASSES);
  }

  @Test
  void everyPackageHasItsLayer() {
    assertThat(CLASSES.stream().map(AgentLayersTest::packageOf).collect(Collectors.toSet()))
        .isEqualTo(LAYERS.stream().flatMap(Set::stream).collect(Collectors.toSet()));
  }

  private static boolean isAgents(JavaClass type) {
    return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
  }

  /** The package within the agent; empty for its root. */
  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return name.length() > ROOT.length() ? name.substring(ROOT.length() + 1) : "";
  }
}
