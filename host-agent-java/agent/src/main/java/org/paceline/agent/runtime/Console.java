package org.paceline.agent.runtime;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What the agent says to the operator, one line each, with the time in UTC. */
public final class Console {
  private final PrintStream out;
  private String last = "";

  public Console(PrintStream out) {
    this.out = out;
  }

  /** On one line, and the same words are not said twice in a row. */
  public synchronized void say(String words) {
    // Some of them were chosen elsewhere.
    String text = words.replaceAll("\\p{Cntrl}+", " ");
    if (!text.equals(last)) {
      last = text;
      out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + text);
      out.flush();
    }
  }
}
