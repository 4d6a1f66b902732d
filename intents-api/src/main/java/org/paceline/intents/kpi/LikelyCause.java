package org.paceline.intents.kpi;

/** Why a user may experience less than was predicted. */
public enum LikelyCause {
  /** Its application sends less than it may. */
  DEMAND_BELOW_GRANT("demand-below-grant"),
  /** Whoever receives it, or answers, is slower than the network. */
  FAR_END_SLOW("far-end-slow"),
  /** Packets take longer than the granted delay. */
  DELAY_ABOVE_BUDGET("delay-above-budget"),
  /** Rate and delay are as granted, so that its utility function promises too much. */
  TABLE_WRONG("table-wrong");

  private final String word;

  LikelyCause(String word) {
    this.word = word;
  }

  /** As programs read it. */
  public String word() {
    return word;
  }
}
