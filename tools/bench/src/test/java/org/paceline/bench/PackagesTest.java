package org.paceline.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** The benchmark's packages follow each other, as those of what it measures do. */
final class PackagesTest {
  private static final String ROOM = "org.paceline.bench";

  @Test
  void noPackagesGoInACircle() {
    slices()
        .assignedFrom(new Packages())
        .should()
        .beFreeOfCycles()
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(ROOM));
  }

  private static final class Packages implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass one) {
      return (one.getPackageName() + ".").startsWith(ROOM + ".")
          ? SliceIdentifier.of(one.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "the packages of the benchmark";
    }
  }
}
