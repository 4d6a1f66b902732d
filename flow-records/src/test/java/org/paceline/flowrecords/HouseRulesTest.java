package org.paceline.flowrecords;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.paceline.house.PackageRules;

/** This room is pure, and uses the language of the domain only. */
final class HouseRulesTest {
  private static final String ROOM = "org.paceline.flowrecords";

  // Read once: it takes longer than all that is asked of it.
  private static final JavaClasses CLASSES = PackageRules.read(ROOM);

  @Test
  void packagesAreSmallAndGoInNoCircle() throws IOException {
    PackageRules.hold(ROOM, Path.of("src/main/java"), CLASSES);
  }

  @Test
  void itKnowsTheLanguageOfTheDomainAndTheJdkOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.annotation.processing..",
            "org.jspecify..",
            "com.google.auto.value..",
            "org.paceline.intents..",
            "org.paceline.flowrecords..")
        .check(CLASSES);
  }
}
