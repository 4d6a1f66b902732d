package org.paceline.agent.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@link ChosenEnforcerTest} asks of this machine's kernel, asked of one with fq and BPF; and
 * what only that one can answer.
 */
@Tag("kernel")
class UserModeLinuxTest {
  // A busy machine has taken three minutes.
  private static final Duration LIMIT = Duration.ofMinutes(15);

  @BeforeAll
  static void needsRoot() throws Exception {
    InNamespaces.needsRoot();
  }

  @Test
  void departureTimesAreChosenAndHoldWhatTheyAreTold(@TempDir Path directory) throws Exception {
    inUserMode(directory, ChosenEnforcerTest.class);
  }

  /** What each packet is given, {@link DepartureProgramTest} asks of this machine's kernel. */
  @Test
  @Tag("long")
  void withDepartureTimesConversationsBorrowFromEachOther(@TempDir Path directory)
      throws Exception {
    inUserMode(directory, DeparturePoolTest.class);
  }

  /** This machine's kernel may have no queue that takes turns; that one has. */
  @Test
  @Tag("long")
  void inTokenBucketsSocketsOfAConversationTakeTurns(@TempDir Path directory) throws Exception {
    inUserMode(directory, SocketsInTurnTest.class);
  }

  @Test
  @Tag("long")
  void tokenBucketsWhereSocketsTakeTurnsAreAsTcMakesThem(@TempDir Path directory) throws Exception {
    inUserMode(directory, KernelClassesTest.class.getName() + "#" + KernelClassesTest.AS_TC);
  }

  private static void inUserMode(Path directory, Class<?> tests) throws Exception {
    inUserMode(directory, tests.getName());
  }

  private static void inUserMode(Path directory, String tests) throws Exception {
    String said =
        UserModeLinux.run(
            directory,
            LIMIT,
            List.of(
                "java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory,
                "-D" + ChosenEnforcerTest.EXPECTED + "=edt",
                "-D" + Suspension.DIRECTORY + "=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                RunTests.class.getName(),
                tests));
    System.out.println(said);
    assertThat(said).contains("tests that held: ");
  }
}
