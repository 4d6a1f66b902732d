package org.paceline.control.port;

import org.paceline.intents.problem.Problem;

/** An allocation problem as a file that people and programs exchange. */
public interface ProblemFile {
  /**
   * @throws IllegalArgumentException with every fault
   */
  Problem read(byte[] text);
}
