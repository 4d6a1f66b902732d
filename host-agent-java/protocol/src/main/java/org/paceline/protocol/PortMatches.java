package org.paceline.protocol;

/** What holds for {@code ConversationOpened.more_matches} on both sides. */
public final class PortMatches {
  /** No conversation may have more: each is a rule on the switches, and they change as ports do. */
  public static final int MOST = 32;

  private PortMatches() {}
}
