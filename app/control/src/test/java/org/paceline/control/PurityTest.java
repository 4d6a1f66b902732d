package org.paceline.control;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Control knows no framework: use cases and values only. */
final class PurityTest {
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
}
