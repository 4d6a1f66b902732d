package org.paceline.agent.enforce;

import java.io.IOException;

/** Processes that work for the agent, and are to end with it, however it ends. */
public interface HelperProcesses {
  /** One more process that must not stay behind: the next agent too knows of it. */
  void alsoEnd(long pid) throws IOException;
}
