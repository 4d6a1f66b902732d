package org.paceline.agent.sockets;

/**
 * Who owns a socket, as far as it could be told; unknown texts are empty.
 *
 * @param name the kernel's short name of the process, such as {@code sshd}
 * @param executable the path of its program
 */
public record ProcessInfo(int pid, String name, String executable, String user, String cgroup) {
  public static final ProcessInfo UNKNOWN = new ProcessInfo(0, "", "", "", "");

  public ProcessInfo withUser(String user) {
    return new ProcessInfo(pid, name, executable, user, cgroup);
  }
}
