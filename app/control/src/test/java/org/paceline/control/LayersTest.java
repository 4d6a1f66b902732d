package org.paceline.control;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The layers of the controller: each uses only those before it, and none of its neighbours. */
final class LayersTest {
  private static final String ROOT = "org.paceline.control";

  /** From the bottom to the top; the packages of one line do not know each other. */
  private static final List<Set<String>> LAYERS =
      List.of(
          Set.of("model"),
          Set.of("directive"),
          Set.of("port"),
          Set.of("work"),
          Set.of("audit", "operations", "telemetry"),
          Set.of("settings", "webhook", "policy", "enrolment"),
          Set.of("inventory", "naming", "ingress"),
          Set.of("scheme"),
          Set.of("traffic", "experience"),
          Set.of(
              "scheme.utility",
              "scheme.fixed",
              "scheme.classes",
              "scheme.reservation",
              "scheme.elephant",
              "planning"),
          Set.of("queues", "borrowing"),
          Set.of("rollout"),
          Set.of("assurance"),
          Set.of("reservations"),
          Set.of("explain"),
          Set.of("view"),
          Set.of("api"));

  // Read once: it takes longer than all that is asked of it.
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  @Test
  void aLayerUsesOnlyThoseBeforeIt() {
    Set<String> below = new HashSet<>();
    for (Set<String> layer : LAYERS) {
      for (String name : layer) {
        Set<String> known = new HashSet<>(below);
        known.add(name);
        noClasses()
            .that(describe("are of " + name, c -> packageOf(c).equals(name)))
            .should()
            .dependOnClassesThat(
                describe(
                    "are of " + ROOT + " but of none of " + known,
                    c -> c.getPackageName().startsWith(ROOT) && !known.contains(packageOf(c))))
            .check(CLASSES);
      }
      below.addAll(layer);
    }
  }

  @Test
  void everyPackageHasItsLayer() {
    assertThat(
            CLASSES.stream()
                .filter(c -> !c.getSimpleName().equals("package-info"))
                .map(LayersTest::packageOf)
                .collect(Collectors.toSet()))
        .isEqualTo(LAYERS.stream().flatMap(Set::stream).collect(Collectors.toSet()));
  }

  /** Control knows no framework: use cases and values only. */
  @Test
  void noFrameworkIsKnownHere() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.onosproject..",
            "org.onlab..",
            "org.osgi..",
            "com.google.common..",
            "com.google.protobuf..",
            "com.fasterxml..",
            "io.grpc..",
            "org.slf4j..")
        .check(CLASSES);
  }

  /** The package within the controller; empty for its root. */
  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return name.length() > ROOT.length() ? name.substring(ROOT.length() + 1) : "";
  }
}
