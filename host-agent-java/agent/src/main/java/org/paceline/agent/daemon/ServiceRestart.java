package org.paceline.agent.daemon;

import java.io.IOException;
import java.util.Optional;
import org.paceline.agent.posix.Command;

/** Whether systemd ends this agent only to start the next one (systemctl restart). */
public final class ServiceRestart {
  /** Our service says by it what it is called. */
  private static final String UNIT = "PACELINE_UNIT";

  /**
   * It answers in milliseconds. What a stop has (TimeoutStopSec) must do for a beginning that is
   * still under way, for this, and for taking down.
   */
  private static final String SECONDS = "5";

  /** Of a line: the job's number, the unit, what is done, and how far that is. */
  private static final int DOES = 2;

  private ServiceRestart() {}

  /** False, too, where systemd did not start this agent, or does not answer. */
  public static boolean isUnderWay() {
    return Optional.ofNullable(System.getenv(UNIT)).filter(ServiceRestart::isRestarted).isPresent();
  }

  private static boolean isRestarted(String unit) {
    try {
      Command.Outcome jobs =
          Command.run(
              "timeout", SECONDS, "systemctl", "list-jobs", "--plain", "--no-legend", "--", unit);
      return jobs.ok()
          && jobs.output()
              .lines()
              .map(line -> line.strip().split("\\s+"))
              .anyMatch(job -> job.length > DOES && job[DOES].equals("restart"));
    } catch (IOException | RuntimeException | Error e) {
      // Such as no memory for one more process: then it is a stop, which takes all down.
      return false;
    }
  }
}
