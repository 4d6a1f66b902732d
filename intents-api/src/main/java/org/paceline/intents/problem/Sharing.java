package org.paceline.intents.problem;

/** Whether applications with the same utility function may be granted different cells of it. */
public enum Sharing {
  /** Each application on its own. */
  FREE,
  /** The same rate and delay bins for all of a function: the paper's evaluation. */
  SAME_UTILITY_PER_TYPE
}
