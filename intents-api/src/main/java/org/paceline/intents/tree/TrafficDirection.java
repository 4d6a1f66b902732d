package org.paceline.intents.tree;

/**
 * Which end of an application sends: its server, its client, or nobody knows. An intent may say for
 * each what throughput and delay are worth.
 */
public enum TrafficDirection {
  /** What the server sends. */
  DOWNLOAD("download"),
  /** What the client sends. */
  UPLOAD("upload"),
  UNKNOWN("unknown");

  /** Linux's clients have ports from here on, others' from 49152 on (RFC 6335, section 6). */
  private static final int CLIENTS_FROM = 32_768;

  private final String word;

  TrafficDirection(String word) {
    this.word = word;
  }

  /** As people read it. */
  public String word() {
    return word;
  }

  /**
   * Of what is sent from one port to another, 0 for one that nobody asks for. The server is whoever
   * has the port that alone is asked for, or the only one that no kernel chooses for a client;
   * unknown where that is so of neither or both.
   */
  public static TrafficDirection ofPorts(int from, int to) {
    boolean isServers = isServers(from, to);
    if (isServers == isServers(to, from)) {
      return UNKNOWN;
    }
    return isServers ? DOWNLOAD : UPLOAD;
  }

  private static boolean isServers(int port, int other) {
    return port != 0 && (other == 0 || port < CLIENTS_FROM && other >= CLIENTS_FROM);
  }
}
