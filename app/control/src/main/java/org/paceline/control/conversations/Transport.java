package org.paceline.control.conversations;

/** The transport protocol that a conversation's sockets speak. */
public enum Transport {
  ANY,
  TCP,
  UDP
}
