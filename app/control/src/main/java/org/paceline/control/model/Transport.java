package org.paceline.control.model;

import java.util.stream.Stream;

/** The transport protocol that a conversation's sockets speak. */
public enum Transport {
  ANY,
  TCP,
  UDP;

  /**
   * @throws IllegalArgumentException if it is none
   */
  public static Transport parse(String text) {
    return Stream.of(values())
        .filter(one -> one.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The protocol (" + text + ") is not known. Maybe tcp, udp or any."));
  }
}
