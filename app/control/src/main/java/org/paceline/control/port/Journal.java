package org.paceline.control.port;

/** Where decisions and faults are written down for the operator, one sentence each. */
public interface Journal {
  void note(String sentence);

  void warn(String sentence);

  /** A bug of ours was met, and what goes on is said; developers want to know where it was. */
  void fault(String sentence, Throwable bug);

  /** A plan came into force; this may happen many times a second. */
  void planned(long version, String summary, String difference);
}
