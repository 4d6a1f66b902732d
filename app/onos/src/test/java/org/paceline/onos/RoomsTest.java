package org.paceline.onos;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static java.util.regex.Pattern.MULTILINE;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.paceline.control.api.UseCases;
import org.paceline.house.PackageRules;

/** The arrows between the rooms that meet in the application; docs/architecture.md draws them. */
final class RoomsTest {
  private static final List<String> ROOMS =
      List.of(
          "intents",
          "json",
          "flowrecords",
          "allocator",
          "yang",
          "protocol",
          "control",
          "records",
          "gateway",
          "northbound",
          "cli",
          "onos");

  private static final String[] CONTROLLER = {
    "org.paceline.control..",
    "org.paceline.records..",
    "org.paceline.gateway..",
    "org.paceline.northbound..",
    "org.paceline.onos.."
  };

  private static final Pattern LISTENS =
      Pattern.compile("add\\w*(Listener|Processor|Delegate|Handler)|setDelegate|subscribe");

  // Read once: it takes longer than all that is asked of it.
  private static final JavaClasses ALL = PackageRules.read("org.paceline");

  /** Whoever makes a room says here what it may use. */
  @ParameterizedTest
  @CsvSource({
    "intents, ",
    "json, intents",
    "flowrecords, intents",
    "allocator, intents",
    "yang, intents",
    "protocol, ",
    "control, intents allocator",
    "records, intents json control",
    "gateway, intents flowrecords control protocol",
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

  /** Whoever is handed all services can come to need all of them, and nobody sees it happen. */
  @Test
  void eachPartOfAFaceIsHandedOnlyTheServicesThatItUses() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "org.paceline.northbound.rest.(*)..", "org.paceline.northbound.restconf..")
        .and()
        .doNotHaveSimpleName("RestconfServlet")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(UseCases.class)
        .check(ALL);
    // A command names its service to its constructor, and is handed that one.
    noMethods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage(packages("cli"))
        .should()
        .haveRawParameterTypes(
            anyElementThat(describe("all services", type -> type.isAssignableTo(UseCases.class))))
        .check(ALL);
  }

  /** A service comes through a constructor, or from the bundle that a container handed over. */
  @Test
  void nobodyLooksUpAServiceStatically() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.osgi.framework.FrameworkUtil")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("org.onlab.osgi..")
        .check(ALL);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.paceline.cli.Application")
        .and()
        .doNotHaveFullyQualifiedName("org.paceline.northbound.service.WebServices")
        .should()
        .callMethodWhere(
            describe(
                "a service is looked up",
                call -> call.getTarget().getName().startsWith("getServiceReference")))
        .check(ALL);
  }

  /**
   * What is thrown on another thread nobody hears of, and what is done again and again ends by it.
   */
  @Test
  void threadsOfTheControllerAreMadeInOnePlaceOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(CONTROLLER)
        .and()
        .doNotHaveFullyQualifiedName("org.paceline.control.work.WorkerThread")
        // gRPC's own, which hand what agents say to one class.
        .and()
        .doNotHaveFullyQualifiedName("org.paceline.gateway.GatewayThreads")
        // Its caller waits, and is thrown whatever is thrown.
        .and()
        .doNotHaveFullyQualifiedName("org.paceline.control.work.OneProcessor")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Executors.class, Timer.class, ForkJoinPool.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ExecutorService.class)
        .orShould()
        .callConstructor(Thread.class, Runnable.class)
        .orShould()
        .callConstructor(Thread.class, Runnable.class, String.class)
        .check(ALL);
  }

  @Test
  void onosCallsInByOneDoorOnly() {
    noClasses()
        .that()
        .resideInAPackage(packages("onos"))
        .and()
        .doNotHaveFullyQualifiedName("org.paceline.onos.listen.Listening")
        .should()
        .callMethodWhere(
            describe(
                "a listener is added that is not an answer's",
                call ->
                    LISTENS.matcher(call.getTarget().getName()).matches()
                        && call.getTargetOwner().getPackageName().startsWith("org.onosproject")
                        && !call.getTarget().getName().equals("addMessageListener")))
        .check(ALL);
  }

  /** One of several who want to hear of something must not keep the others from it. */
  @Test
  void nobodyTellsListenersOneAfterTheOtherByHand() throws IOException {
    Pattern byHand = Pattern.compile("(listeners|watchers|sessions\\.all\\(\\))\\s*\\.forEach\\(");
    for (String module : List.of("control", "gateway", "northbound", "records", "onos")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
          assertThat(Files.readString(file))
              .as(file + ": Maybe tell them by Each.of")
              .doesNotContainPattern(byHand);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "intents, intents-api",
    "json, intents-json",
    "flowrecords, flow-records",
    "allocator, allocator",
    "yang, yang",
    "protocol, host-agent-java/protocol",
    "control, app/control",
    "records, app/records",
    "gateway, app/gateway",
    "northbound, app/northbound",
    "cli, cli",
    "onos, app/onos"
  })
  void packagesAreSmallAndGoInNoCircle(String room, String module) throws IOException {
    PackageRules.hold("org.paceline." + room, Path.of("../..", module, "src/main/java"), ALL);
  }

  /** What needs no ONOS belongs into a room that others can use and test without it. */
  @Test
  void everyFileOfThisRoomImportsOnos() throws IOException {
    Pattern imports =
        Pattern.compile(
            "^import (static )?(org\\.(onosproject|onlab|projectfloodlight))\\.", MULTILINE);
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> ours =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(Collectors.toList());
      assertThat(ours).isNotEmpty();
      for (Path file : ours) {
        assertThat(Files.readString(file)).as(file.toString()).containsPattern(imports);
      }
    }
  }

  private static String packages(String room) {
    return "org.paceline." + room + "..";
  }
}
