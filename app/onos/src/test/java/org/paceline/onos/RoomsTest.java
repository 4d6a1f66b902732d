package org.paceline.onos;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between the rooms that meet in the application; docs/architecture.md draws them. */
final class RoomsTest {
  private static final List<String> ROOMS =
      List.of(
          "intents",
          "json",
          "allocator",
          "yang",
          "protocol",
          "control",
          "records",
          "gateway",
          "northbound",
          "cli",
          "onos");

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          // What tests of other rooms lend is in a jar of its own once it is packed.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("org.paceline");

  /** Whoever makes a room says here what it may use. */
  @ParameterizedTest
  @CsvSource({
    "intents, ",
    "json, intents",
    "allocator, intents",
    "yang, intents",
    "protocol, ",
    "control, intents allocator",
    "records, intents json control",
    "gateway, intents control protocol",
    "northbound, intents json yang control",
    "cli, intents control",
    "onos, intents allocator json control records gateway northbound"
  })
  void aRoomKnowsOnlyThoseBeforeIt(String room, String allowed) {
    List<String> others = new ArrayList<>(ROOMS);
    others.remove(room);
    others.removeAll(allowed == null ? List.of() : Arrays.asList(allowed.split(" ")));
    noClasses()
        .that()
        .resideInAPackage(packages(room))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others.stream().map(RoomsTest::packages).toArray(String[]::new))
        .check(ALL);
  }

  @Test
  void everyClassIsOfARoom() {
    classes()
        .should()
        .resideInAnyPackage(ROOMS.stream().map(RoomsTest::packages).toArray(String[]::new))
        .check(ALL);
  }

  @Test
  void onlyOneRoomKnowsOnos() {
    noClasses()
        .that()
        .resideOutsideOfPackage(packages("onos"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.onosproject..", "org.onlab..")
        .check(ALL);
  }

  @Test
  void onlyTheGatewayAndItsProtocolKnowGrpc() {
    noClasses()
        .that()
        .resideOutsideOfPackages(packages("gateway"), packages("protocol"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "com.google.protobuf..")
        .check(ALL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"intents", "json", "yang", "records", "gateway", "northbound", "cli", "onos"})
  void noPackagesGoInACircle(String room) {
    slices().assignedFrom(packagesOf(room)).should().beFreeOfCycles().check(ALL);
  }

  private static SliceAssignment packagesOf(String room) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass one) {
        String name = one.getPackageName();
        return (name + ".").startsWith("org.paceline." + room + ".")
            ? SliceIdentifier.of(name)
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "the packages of " + room;
      }
    };
  }

  private static String packages(String room) {
    return "org.paceline." + room + "..";
  }
}
