package org.paceline.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class PurityTest {
  private final JavaClasses classes =
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
        .check(classes);
  }

  @Test
  void nothingLooksTowardsTheAdapters() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.paceline.onos..", "org.paceline.cli..", "org.paceline.protocol..")
        .check(classes);
  }

  @Test
  void conversationsKnowNothingOfThePlanAndPortsNothingOfIt() {
    noClasses()
        .that()
        .resideInAPackage("..control.conversations..")
        .or()
        .resideInAPackage("..control.port..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..control.plan..")
        .check(classes);
  }
}
