package org.paceline.flowrecords;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.paceline.house.PackageRules;

/** This room is pure, and uses the language of the domain only. */
final class HouseRulesTest {
  @Test
  void packagesAreSmallAndGoInNoCircle() throws IOException {
    PackageRules.hold("org.paceline.flowrecords", Path.of("src/main/java"));
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
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("org.paceline.flowrecords"));
  }
}
