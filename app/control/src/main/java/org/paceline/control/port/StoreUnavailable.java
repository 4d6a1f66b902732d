package org.paceline.control.port;

/** Records cannot be read or written: the store that outlives restarts does not answer. */
public final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StoreUnavailable(Throwable cause) {
    super(
        "The controller's store does not answer ("
            + cause
            + "). Maybe it has no majority for a while: try again. Where that stays, maybe its disk is"
            + " full or was: see how much is free, make room, and start ONOS again.",
        cause);
  }
}
