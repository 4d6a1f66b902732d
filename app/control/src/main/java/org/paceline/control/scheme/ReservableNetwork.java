package org.paceline.control.scheme;

import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.allocator.elephant.QueueSplit;
import org.paceline.allocator.reservation.ReservationDivision;
import org.paceline.control.inventory.PlacedSchemes;
import org.paceline.control.model.NetworkState;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;

/**
 * What may be reserved of each link for conversations of one scheme: what a plan divides, and of
 * that no more than what the other schemes cannot take. A promise holds whatever they want.
 */
public final class ReservableNetwork {
  /**
   * How much of what elephants have in any case can be booked for circuits, in thousandths. The
   * rest is for elephants that are held for them, and for what frames have on the wire.
   */
  public static final int CIRCUIT_THOUSANDTHS = 900;

  private final Supplier<PlannerSettings> settings;
  private final Predicate<LinkId> keepsApart;

  /**
   * @param keepsApart whether elephants on the link are kept from all others: nothing else can be
   *     promised to them
   */
  public ReservableNetwork(Supplier<PlannerSettings> settings, Predicate<LinkId> keepsApart) {
    this.settings = settings;
    this.keepsApart = keepsApart;
  }

  /**
   * @param full with all of each link's capacity
   * @param tree says which schemes rule anybody
   */
  public Network of(Network full, IntentTree tree, SchemeName scheme) {
    PlannerSettings now = settings.get();
    Network promisable = now.promisable(full);
    return PlannerSettings.scaled(
        scheme == SchemeName.ELEPHANT_ISOLATION ? divided(promisable) : promisable,
        thousandths(now, tree, scheme));
  }

  /** A port of so little that two queues would be none is not divided, whoever could. */
  private Network divided(Network all) {
    return Network.of(
        all.nodes(),
        all.links().stream()
            .filter(link -> keepsApart.test(link.id()) && QueueSplit.canDivide(link.capacity()))
            .collect(Collectors.toUnmodifiableList()));
  }

  /** Of what adaptive reservations can use, they leave some to best effort in any case. */
  private static int thousandths(PlannerSettings now, IntentTree tree, SchemeName scheme) {
    int guaranteed = LinkSplit.of(now).guaranteed(scheme, tree);
    switch (scheme) {
      case ADAPTIVE_RESERVATIONS:
        return guaranteed
            * (Share.WHOLE - ReservationDivision.BEST_EFFORT_THOUSANDTHS)
            / Share.WHOLE;
      case ELEPHANT_ISOLATION:
        return guaranteed * CIRCUIT_THOUSANDTHS / Share.WHOLE;
      default:
        return guaranteed;
    }
  }

  /** Who rules what goes from one place to another now. */
  public PlacedSchemes places(NetworkState state) {
    return PlacedSchemes.of(settings.get(), state);
  }

  /**
   * For a person, how much that is where it is not all of a link; else empty.
   *
   * @param full with all of each link's capacity
   */
  public Optional<String> share(Network full, IntentTree tree, SchemeName scheme) {
    int thousandths = thousandths(settings.get(), tree, scheme);
    return thousandths == Share.WHOLE
        ? Optional.empty()
        : Optional.of(
            (scheme == SchemeName.ELEPHANT_ISOLATION ? "Of each divided link " : "Of each link ")
                + thousandths
                + " thousandths can be reserved under the scheme "
                + scheme.word()
                + ", for the others may take the rest. Maybe change "
                + setting(scheme)
                + "."
                + tooNarrow(full, scheme));
  }

  /** Of links that carry too little to be divided the first is named; else nothing is said. */
  private String tooNarrow(Network full, SchemeName scheme) {
    return scheme != SchemeName.ELEPHANT_ISOLATION
        ? ""
        : settings.get().promisable(full).links().stream()
            .filter(link -> keepsApart.test(link.id()) && !QueueSplit.canDivide(link.capacity()))
            .min(Comparator.comparing(link -> link.id().toString()))
            .map(
                link ->
                    " The link ("
                        + link.id()
                        + ") is not divided: plans have "
                        + link.capacity().toKbpsFloor()
                        + " kbit/s of it, and "
                        + QueueSplit.LEAST_CAPACITY.toKbpsFloor()
                        + " are needed.")
            .orElse("");
  }

  /** What says how much it is. */
  private static String setting(SchemeName scheme) {
    switch (scheme) {
      case ADAPTIVE_RESERVATIONS:
        return "adaptiveThousandths";
      case ELEPHANT_ISOLATION:
        return "elephantThousandths";
      default:
        return "fixedRateThousandths";
    }
  }
}
