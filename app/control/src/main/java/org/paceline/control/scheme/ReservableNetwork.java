package org.paceline.control.scheme;

import java.util.Optional;
import java.util.function.Supplier;
import org.paceline.allocator.reservation.ReservationDivision;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;

/**
 * What may be reserved of each link for conversations of one scheme: what a plan divides, and of
 * that no more than what the other schemes cannot take. A promise holds whatever they want.
 */
public final class ReservableNetwork {
  private final Supplier<PlannerSettings> settings;

  public ReservableNetwork(Supplier<PlannerSettings> settings) {
    this.settings = settings;
  }

  /**
   * @param full with all of each link's capacity
   * @param tree says which schemes rule anybody
   */
  public Network of(Network full, IntentTree tree, SchemeName scheme) {
    PlannerSettings now = settings.get();
    return PlannerSettings.scaled(now.plannable(full), thousandths(now, tree, scheme));
  }

  /** Of what adaptive reservations can use, they leave some to best effort in any case. */
  private static int thousandths(PlannerSettings now, IntentTree tree, SchemeName scheme) {
    int guaranteed = LinkSplit.of(now).guaranteed(scheme, tree);
    return scheme == SchemeName.ADAPTIVE_RESERVATIONS
        ? guaranteed * (Share.WHOLE - ReservationDivision.BEST_EFFORT_THOUSANDTHS) / Share.WHOLE
        : guaranteed;
  }

  /** For a person, how much that is where it is not all of a link; else empty. */
  public Optional<String> share(IntentTree tree, SchemeName scheme) {
    int thousandths = thousandths(settings.get(), tree, scheme);
    return thousandths == Share.WHOLE
        ? Optional.empty()
        : Optional.of(
            "Of each link "
                + thousandths
                + " thousandths can be reserved under the scheme "
                + scheme.word()
                + ", for the others may take the rest. Maybe change "
                + setting(scheme)
                + ".");
  }

  /** What says how much it is. */
  private static String setting(SchemeName scheme) {
    return scheme == SchemeName.ADAPTIVE_RESERVATIONS
        ? "adaptiveThousandths"
        : "fixedRateThousandths";
  }
}
