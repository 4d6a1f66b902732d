package org.paceline.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What holds for the packages of every room; each room's test, or one for several, asks for it. */
public final class PackageRules {
  private static final int MOST_FILES = 20;
  private static final int MOST_PARAMETERS = 7;

  private PackageRules() {}

  /**
   * No packages go in a circle, none holds so many files that nobody finds anything, and no
   * constructor takes so much that an object must be missing.
   *
   * @param room the package of all its packages
   * @param sources the directory of its sources, as seen from the module that tests it
   */
  public static void hold(String room, Path sources) throws IOException {
    hold(room, sources, read(room));
  }

  /**
   * The same.
   *
   * @param all classes that are read already, the room's among them: reading takes longer than all
   *     that is asked
   */
  public static void hold(String room, Path sources, JavaClasses all) throws IOException {
    JavaClasses classes = all.that(resideInAPackage(room + ".."));
    slices().assignedFrom(new Packages(room)).should().beFreeOfCycles().check(classes);
    constructors()
        .that()
        .areDeclaredInClassesThat(writtenByHand())
        .should(takeFewParameters())
        .check(classes);
    assertThat(crowded(sources)).isEmpty();
  }

  /** The classes of a package and those below it, without tests and what tests lend to others. */
  public static JavaClasses read(String room) {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        // What tests lend to other rooms is in a jar of its own once it is packed.
        .withImportOption(location -> !location.contains("-tests.jar"))
        .importPackages(room);
  }

  private static List<String> crowded(Path sources) throws IOException {
    try (Stream<Path> all = Files.walk(sources)) {
      return all
          .filter(file -> file.toString().endsWith(".java"))
          .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()))
          .entrySet()
          .stream()
          .filter(files -> files.getValue() > MOST_FILES)
          .map(files -> files.getKey() + " holds " + files.getValue() + " files")
          .collect(Collectors.toList());
    }
  }

  /** AutoValue and records take what they have; the compiler adds to enums and local classes. */
  private static DescribedPredicate<JavaClass> writtenByHand() {
    return DescribedPredicate.describe(
        "are written by hand",
        one ->
            !one.getSimpleName().startsWith("AutoValue_")
                && !one.isRecord()
                && !one.isEnum()
                && !one.isAnonymousClass()
                && !one.isLocalClass());
  }

  private static ArchCondition<JavaConstructor> takeFewParameters() {
    return new ArchCondition<>("take at most " + MOST_PARAMETERS + " parameters") {
      @Override
      public void check(JavaConstructor constructor, ConditionEvents events) {
        int taken = constructor.getRawParameterTypes().size();
        if (taken > MOST_PARAMETERS) {
          events.add(
              SimpleConditionEvent.violated(
                  constructor,
                  constructor.getFullName()
                      + " takes "
                      + taken
                      + " parameters. Maybe some of them are one object."));
        }
      }
    };
  }

  /** Each package by itself, those that have others below them too. */
  private static final class Packages implements SliceAssignment {
    private final String room;

    Packages(String room) {
      this.room = room;
    }

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass one) {
      return (one.getPackageName() + ".").startsWith(room + ".")
          ? SliceIdentifier.of(one.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "the packages of " + room;
    }
  }
}
