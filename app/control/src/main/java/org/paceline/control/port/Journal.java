package org.paceline.control.port;

/** Where decisions are written down for the operator, one sentence each. */
public interface Journal {
  void note(String sentence);

  void warn(String sentence);

  /** A plan came into force; this may happen many times a second. */
  void planned(long version, String summary, String difference);
}
