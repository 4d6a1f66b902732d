package org.paceline.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Control's own rules: no framework, and layers of which each uses only those before it. */
final class PurityTest {
  /** From the first layer to the last, by package; {@code ""} is control's own. */
  private static final List<List<String>> LAYERS =
      List.of(
          List.of("conversations", "plan", "proof"),
          List.of("port", "worker"),
          List.of("inventory", "change"),
          List.of("ceiling", "operations", "webhook", "policy"),
          List.of("settings"),
          List.of("scheme.utility"),
          List.of("rollout"),
          List.of("planning"),
          List.of("assurance"),
          List.of("reservations", "explain"),
          List.of(""));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.paceline.control");

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

  @Test
  void noPackagesGoInACircle() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass one) {
                return SliceIdentifier.of(one.getPackageName());
              }

              @Override
              public String getDescription() {
                return "the packages of control";
              }
            })
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void aLayerUsesOnlyThoseBeforeIt() {
    for (int layer = 0; layer < LAYERS.size(); layer++) {
      noClasses()
          .that()
          .resideInAnyPackage(packages(LAYERS.subList(layer, layer + 1)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(packages(LAYERS.subList(layer + 1, LAYERS.size())))
          .allowEmptyShould(true)
          .check(CLASSES);
    }
  }

  @Test
  void everyPackageHasItsLayer() {
    noClasses().should().resideOutsideOfPackages(packages(LAYERS)).check(CLASSES);
  }

  private static String[] packages(List<List<String>> layers) {
    return layers.stream()
        .flatMap(List::stream)
        .map(name -> name.isEmpty() ? "org.paceline.control" : "org.paceline.control." + name)
        .toArray(String[]::new);
  }
}
