package org.paceline.agent.flow;

import java.util.Locale;

/** What carries a socket's data. */
public enum Transport {
  TCP(6),
  UDP(17);

  private final int number;

  Transport(int number) {
    this.number = number;
  }

  /** As IP headers write it. */
  public int number() {
    return number;
  }

  /** As nft and rule files write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
