package org.paceline.allocator;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of the house that concern the pure rooms; docs/architecture.md gives the reasons. */
@AnalyzeClasses(
    packages = {"org.paceline.allocator", "org.paceline.intents"},
    importOptions = DoNotIncludeTests.class)
class HouseRulesTest {
  private static final String[] FRAMEWORKS = {
    "org.onosproject..",
    "org.onlab..",
    "org.osgi..",
    "org.apache.karaf..",
    "com.google.common..",
    "com.fasterxml.jackson..",
    "io.grpc..",
    "io.netty..",
    "com.google.protobuf..",
    "javax.ws.rs..",
    "org.slf4j.."
  };

  @ArchTest
  static final ArchRule PURE_ROOMS_KNOW_NO_FRAMEWORK =
      noClasses().should().dependOnClassesThat().resideInAnyPackage(FRAMEWORKS);

  @ArchTest
  static final ArchRule ONLY_MILP_KNOWS_OR_TOOLS =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.paceline.allocator.milp..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.google.ortools..");

  @ArchTest
  static final ArchRule THE_LANGUAGE_OF_THE_DOMAIN_KNOWS_NO_OTHER_ROOM =
      noClasses()
          .that()
          .resideInAPackage("org.paceline.intents..")
          .should()
          .dependOnClassesThat(
              describe(
                  "are of another room",
                  c ->
                      c.getPackageName().startsWith("org.paceline")
                          && !c.getPackageName().startsWith("org.paceline.intents")));

  @ArchTest
  static final ArchRule THE_ALLOCATOR_KNOWS_THE_DOMAIN_ONLY =
      noClasses()
          .that()
          .resideInAPackage("org.paceline.allocator..")
          .should()
          .dependOnClassesThat(
              describe(
                  "are of a later room",
                  c ->
                      c.getPackageName().startsWith("org.paceline")
                          && !c.getPackageName().startsWith("org.paceline.intents")
                          && !c.getPackageName().startsWith("org.paceline.allocator")));

  @ArchTest
  static final ArchRule THE_CHECKERS_SHARE_NO_CODE_WITH_SOLVERS =
      noClasses()
          .that()
          .resideInAPackage("org.paceline.allocator..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.paceline.intents.check..");
}
