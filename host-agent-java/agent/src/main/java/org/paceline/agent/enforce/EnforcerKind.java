package org.paceline.agent.enforce;

/** The ways to hold a rate, the better first. */
public enum EnforcerKind {
  /** Departure times by BPF, kept by fq: an entry of a table for each conversation. */
  EDT("edt"),
  /** A class of the hierarchical token bucket for each conversation. */
  HTB("htb"),
  /** Each TCP socket by itself, whoever's it is; nothing of an interface is touched. */
  SOCKET("socket"),
  /** No way at all: the agent tells who talks, and the controller limits at the first switch. */
  NONE("none");

  private final String word;

  EnforcerKind(String word) {
    this.word = word;
  }

  /** As in the configuration and for a person. */
  public String word() {
    return word;
  }

  /** Whether it works by what is at the interfaces. */
  public boolean touchesInterfaces() {
    return this == EDT || this == HTB;
  }

  /**
   * Whether conversations of an interface may borrow from each other, of which it has to know all.
   */
  public boolean pools() {
    return touchesInterfaces();
  }

  /** As the controller is told: empty where rates cannot be held. */
  public String capability() {
    return this == NONE ? "" : word;
  }
}
