package org.paceline.agent;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The agent's packages: each uses only those before it, and none is a heap. */
final class PackagesTest {
  private static final String ROOT = "org.paceline.agent";
  private static final int MOST_FILES = 20;
  private static final int MOST_PARAMETERS = 7;

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
          Set.of("tracking"),
          Set.of("session"),
          Set.of("status"),
          Set.of("daemon"),
          Set.of("command"),
          Set.of(""));

  // Read once: it takes longer than all that is asked of it.
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  @Test
  void noPackagesDependOnEachOtherInACircle() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
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

  @Test
  void everyPackageHasItsLayer() {
    assertThat(CLASSES.stream().map(PackagesTest::packageOf).collect(Collectors.toSet()))
        .isEqualTo(LAYERS.stream().flatMap(Set::stream).collect(Collectors.toSet()));
  }

  @Test
  void noPackageHasMoreThanTwentyFiles() {
    Map<String, Long> files =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(Collectors.groupingBy(PackagesTest::packageOf, Collectors.counting()));

    assertThat(files).isNotEmpty();
    assertThat(files)
        .allSatisfy(
            (name, count) -> assertThat(count).as(name).isLessThanOrEqualTo((long) MOST_FILES));
  }

  @Test
  void noConstructorHasMoreThanSevenParameters() {
    List<String> tooLong =
        CLASSES.stream()
            .filter(c -> !c.isAnonymousClass())
            .flatMap(c -> c.getConstructors().stream())
            .filter(c -> c.getRawParameterTypes().size() > MOST_PARAMETERS)
            .map(JavaConstructor::getFullName)
            .toList();

    assertThat(tooLong).isEmpty();
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
