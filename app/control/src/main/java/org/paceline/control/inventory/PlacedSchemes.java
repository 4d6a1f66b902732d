package org.paceline.control.inventory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.NetworkState;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SchemePlace;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;

/**
 * Which scheme rules a conversation by where it goes, if no branch below the root says which. It is
 * of a site if one of its ends is, and of a link if the way that its packets take while nobody
 * leads them crosses it: so no plan that leads it elsewhere changes who rules it. The first place
 * of the list that fits counts.
 *
 * <p>O(p) for p places, and where one is a link a search for each pair of hosts, once. Not
 * thread-safe.
 */
public final class PlacedSchemes {
  private final List<SchemePlace> places;
  private final NetworkState state;
  private final String gateway;
  private final Routes routes;
  private final Map<LinkId, Optional<Path>> ways = new HashMap<>();

  private PlacedSchemes(List<SchemePlace> places, NetworkState state, String gateway) {
    this.places = places;
    this.state = state;
    this.gateway = gateway;
    this.routes = new Routes(state.network());
  }

  public static PlacedSchemes of(PlannerSettings settings, NetworkState state) {
    return new PlacedSchemes(settings.places(), state, settings.gateway());
  }

  /** Whether a change of the network can change who rules a conversation. */
  public boolean followNetwork() {
    return places.stream().anyMatch(place -> place.link().isPresent());
  }

  /** The conversation's policy, under the scheme of its place where no branch chose one. */
  public EffectivePolicy ruling(Conversation conversation, EffectivePolicy policy) {
    return places.isEmpty()
        ? policy
        : ruling(
            AddressPrefix.parse(conversation.localAddress()),
            AddressPrefix.parse(conversation.remoteAddress()),
            () ->
                way(
                    state.sender(conversation, gateway),
                    state.nodeOf(conversation.remoteAddress())),
            policy);
  }

  /**
   * The same of whatever goes from hosts of one prefix to those of another.
   *
   * @param from the node at which it enters the network; empty where that is not known
   * @param to the node at which it leaves it
   */
  public EffectivePolicy ruling(
      AddressPrefix source,
      AddressPrefix destination,
      Supplier<Optional<String>> from,
      Supplier<Optional<String>> to,
      EffectivePolicy policy) {
    return ruling(source, destination, () -> way(from.get(), to.get()), policy);
  }

  private EffectivePolicy ruling(
      AddressPrefix source,
      AddressPrefix destination,
      Supplier<Optional<Path>> way,
      EffectivePolicy policy) {
    return places.stream()
        .filter(
            place ->
                place.site().map(at -> at.covers(source) || at.covers(destination)).orElse(false)
                    || place
                        .link()
                        .flatMap(at -> way.get().filter(by -> crosses(by, at)))
                        .isPresent())
        .findFirst()
        .map(place -> policy.at(place.scheme()))
        .orElse(policy);
  }

  private Optional<Path> way(Optional<String> from, Optional<String> to) {
    return from.flatMap(
        start ->
            to.filter(end -> !end.equals(start))
                .flatMap(
                    end ->
                        ways.computeIfAbsent(
                            LinkId.of(start, end), ends -> routes.quickest(start, end))));
  }

  private static boolean crosses(Path path, LinkId link) {
    return path.hops().contains(link) || path.hops().contains(LinkId.of(link.to(), link.from()));
  }

  /** Whether any place is ruled by it. */
  public static boolean nameAny(List<SchemePlace> places, SchemeName scheme) {
    return places.stream().anyMatch(place -> place.scheme() == scheme);
  }
}
