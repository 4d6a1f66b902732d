package org.paceline.onos.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.DeviceId;
import org.paceline.control.SolverBug;
import org.paceline.control.WrittenFaults;
import org.paceline.control.work.Faults;

final class SwitchQuestionsTest {
  private static final DeviceId SWITCH = DeviceId.deviceId("of:1");

  private final WrittenFaults written = new WrittenFaults();

  /** Whoever plans asks for the size of each table: it goes on. */
  @ParameterizedTest
  @EnumSource
  void whatOnosThrowsAtAQuestionIsWrittenDownAndGoesNoFurther(SolverBug bug) {
    SwitchQuestions questions =
        new SwitchQuestions(bug::thrown, new Faults(written), Duration.ofMinutes(2));
    assertThat(questions.tableSize(SWITCH)).isEmpty();
    assertThat(questions.count(SWITCH).orElseThrow()).isCompletedExceptionally();
    assertThat(written.all).allSatisfy(said -> assertThat(said).contains(bug.said)).hasSize(1);
  }
}
