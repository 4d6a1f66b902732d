package org.paceline.agent.sense;

import java.util.Locale;

/** What carries a socket's data. */
public enum Transport {
  TCP,
  UDP;

  /** As nft and rule files write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
