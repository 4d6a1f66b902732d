package org.paceline.control;

import org.paceline.control.scheme.ReservableNetwork;
import org.paceline.control.settings.PlannerSettings;

/** A controller that plans all of each link. */
public final class WholeLinks {
  public static final ReservableNetwork RESERVABLE =
      new ReservableNetwork(WholeLinks::settings, link -> true);

  private WholeLinks() {}

  private static PlannerSettings settings() {
    return PlannerSettings.DEFAULT.toBuilder()
        .usableThousandths(1_000)
        .reserveThousandths(0)
        .build();
  }
}
