package org.paceline.agent.config;

import java.util.List;

/** A configuration or rules file that cannot be used, with every fault and its place. */
public final class FaultyFile extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final List<String> faults;

  public FaultyFile(List<String> faults) {
    super(String.join("\n", faults));
    this.faults = List.copyOf(faults);
  }

  public List<String> faults() {
    return faults;
  }
}
