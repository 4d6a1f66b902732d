package org.paceline.agent.application;

/**
 * Who speaks, as the kernel knew it at the time of the connection.
 *
 * @param connection its number: one process may have several, each with its own claims
 */
public record Applicant(long connection, ProcessHandle process, int uid, String user) {
  public boolean isRoot() {
    return uid == 0;
  }
}
