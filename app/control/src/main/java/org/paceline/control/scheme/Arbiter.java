package org.paceline.control.scheme;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.allocator.reservation.Loan;
import org.paceline.control.directive.Directives;
import org.paceline.control.inventory.Routes;
import org.paceline.control.model.Unserved;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;

/**
 * Gives each scheme its room on every link, and joins what they decide to one decision.
 *
 * <p>Schemes decide in the order of their precedence. Each sees a network that has only its share
 * of each link, and no more than those before it have left. So the sum of all is within the links
 * by construction, and what one scheme does not need is there for those after it. A scheme that can
 * use all that there is is asked again at the end, with all of the links that nobody after it uses
 * ({@link Share#isForMore}), or with the rest of all links ({@link Share#isForTheRest}). What a
 * scheme decides is counted; one that takes more than it was given has a bug, and decides nothing.
 */
public final class Arbiter {
  private final List<Share> shares;

  /**
   * @param shares by precedence, one for each scheme that rules somebody; the last one's scheme is
   *     asked for a decision even if it rules nobody and no other does
   */
  public Arbiter(List<Share> shares) {
    this.shares = List.copyOf(shares);
  }

  /**
   * Who gets what, by whom each is ruled.
   *
   * @param ruledBy the scheme of each application, by its id
   * @return empty where one of the schemes waits, which only a snapshot that allows it makes it do
   */
  public Optional<Decision> decide(Snapshot whole, Map<String, SchemeName> ruledBy) {
    Map<SchemeName, Decision> before = partsOf(whole.before());
    Map<SchemeName, Decision> parts = new EnumMap<>(SchemeName.class);
    Map<SchemeName, Routes> promisable = new EnumMap<>(SchemeName.class);
    Map<SchemeName, Decision> first = new EnumMap<>(SchemeName.class);
    Room room = new Room(whole.routes());
    for (Share share : shares) {
      Snapshot asked = asked(whole, share, ruledBy, before);
      if (asked.applications().isEmpty() && !(isLast(share) && parts.isEmpty())) {
        continue;
      }
      Routes given = room.of(share);
      promisable.put(share.name(), given);
      Optional<Decision> part = decide(share, asked.through(given), room);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.put(share.name(), part.get());
    }
    // Who has the rest comes last, when it is known what that is.
    for (Share share : shares) {
      if (share.isForMore() && parts.containsKey(share.name())) {
        room.more(share)
            .ifPresent(
                more ->
                    decide(
                            share,
                            asked(whole, share, ruledBy, before)
                                .through(
                                    more, Objects.requireNonNull(promisable.get(share.name()))),
                            room)
                        .ifPresent(
                            part ->
                                first.put(
                                    share.name(),
                                    Objects.requireNonNull(parts.put(share.name(), part)))));
      }
    }
    for (Share share : shares) {
      if (share.isForTheRest() && parts.containsKey(share.name())) {
        Routes rest = room.rest(share);
        decide(
                share,
                asked(whole, share, ruledBy, before)
                    .through(rest, Objects.requireNonNull(promisable.get(share.name()))),
                room)
            .ifPresent(part -> parts.put(share.name(), part));
      }
    }
    return Optional.of(joined(whole, new Parts(parts, first)));
  }

  private static Snapshot asked(
      Snapshot whole,
      Share share,
      Map<String, SchemeName> ruledBy,
      Map<SchemeName, Decision> before) {
    return whole.part(
        whole.applications().stream()
            .filter(a -> share.name() == ruledBy.get(a.id()))
            .collect(Collectors.toUnmodifiableList()),
        whole.routes(),
        Optional.ofNullable(before.get(share.name())));
  }

  private static Optional<Decision> decide(Share share, Snapshot asked, Room room) {
    Optional<Decision> part = share.scheme().decide(asked);
    part.ifPresent(
        made -> room.take(share, asked.routes(), made.directives(), asked.applications()));
    return part;
  }

  /** Whether fresh decisions for the same conversations give so much more that rates change. */
  public boolean isWorthTheChange(Decision inForce, Decision fresh) {
    Map<SchemeName, Decision> before = partsOf(Optional.of(inForce));
    Map<SchemeName, Decision> after = partsOf(Optional.of(fresh));
    return shares.stream()
        .anyMatch(
            share -> {
              Decision was = before.get(share.name());
              Decision now = after.get(share.name());
              return was == null || now == null
                  ? !Objects.equals(was, now)
                  : share.scheme().isWorthTheChange(was, now);
            });
  }

  /** Whether what ports carry now is a reason for any scheme to decide anew. */
  public boolean isMovedBy(Map<LinkId, PortState> ports, Decision inForce) {
    Map<SchemeName, Decision> parts = partsOf(Optional.of(inForce));
    return shares.stream()
        .anyMatch(
            share ->
                Optional.ofNullable(parts.get(share.name()))
                    .filter(part -> share.scheme().isMovedBy(ports, part))
                    .isPresent());
  }

  /** Whether what was seen since is a reason for any scheme to decide anew. */
  public boolean isMovedBy(Observations seen, Decision inForce) {
    Map<SchemeName, Decision> parts = partsOf(Optional.of(inForce));
    return shares.stream()
        .anyMatch(
            share ->
                Optional.ofNullable(parts.get(share.name()))
                    .filter(part -> share.scheme().isMovedBy(seen, part))
                    .isPresent());
  }

  private boolean isLast(Share share) {
    return share == shares.get(shares.size() - 1);
  }

  private Decision joined(Snapshot whole, Parts all) {
    Directives directives = Directives.NONE;
    Map<String, Grant> grants = new TreeMap<>();
    Map<String, Grant> restrained = new TreeMap<>();
    Map<String, Unserved> unserved = new TreeMap<>();
    Map<LinkId, Double> prices = new TreeMap<>();
    List<Loan> loans = new ArrayList<>();
    Standings standings = Standings.NONE;
    List<String> remarks = new ArrayList<>();
    Set<String> methods = new LinkedHashSet<>();
    Duration elapsed = Duration.ZERO;
    double gap = 0;
    Decision.Quality quality = Decision.Quality.GOOD;
    boolean isStep = false;
    for (Decision part : inOrder(all.parts)) {
      directives = directives.with(part.directives());
      grants.putAll(part.grants());
      restrained.putAll(part.restrained());
      unserved.putAll(part.unserved());
      part.prices().forEach((link, price) -> prices.merge(link, price, Double::sum));
      loans.addAll(part.loans());
      standings = standings.and(part.standings());
      remarks.addAll(part.remarks());
      methods.add(part.method());
      elapsed = elapsed.plus(part.elapsed());
      gap = Math.max(gap, part.gap());
      quality = part.quality().compareTo(quality) > 0 ? part.quality() : quality;
      isStep |= part.isStep();
    }
    return Decision.builder()
        .directives(directives)
        .grants(grants)
        .restrained(restrained)
        .unserved(unserved)
        .prices(prices)
        .loans(List.copyOf(loans))
        .standings(standings)
        .remarks(List.copyOf(remarks))
        .method(String.join(" + ", methods))
        .gap(gap)
        .elapsed(elapsed)
        .quality(quality)
        .isStep(isStep)
        .applications(whole.applications())
        .network(whole.routes().network())
        .memory(all)
        .build();
  }

  private List<Decision> inOrder(Map<SchemeName, Decision> parts) {
    return shares.stream()
        .flatMap(share -> Optional.ofNullable(parts.get(share.name())).stream())
        .collect(Collectors.toUnmodifiableList());
  }

  /** What one scheme has decided of what was joined here; empty where it ruled nobody. */
  public static Optional<Decision> partOf(Decision joined, SchemeName scheme) {
    return Optional.ofNullable(partsOf(Optional.of(joined)).get(scheme));
  }

  /**
   * Whether a scheme's conversations have together all that they could have of a link in what was
   * joined here. That may be a part of the link.
   */
  public static boolean isFilledBy(Decision joined, SchemeName scheme, LinkId link) {
    return partOf(joined, scheme)
        .filter(
            last -> {
              Map<SchemeName, Decision> first = ((Parts) joined.memory()).first;
              return FilledLinks.isFilled(scheme, first.getOrDefault(scheme, last), last, link);
            })
        .isPresent();
  }

  /**
   * What the other schemes go on with where this one is to decide anew, from nothing: who has a
   * seat by them keeps it.
   */
  public static Decision without(Decision joined, SchemeName scheme) {
    Map<SchemeName, Decision> others = new EnumMap<>(SchemeName.class);
    others.putAll(partsOf(Optional.of(joined)));
    others.remove(scheme);
    return joined.toBuilder().memory(new Parts(others, Map.of())).build();
  }

  private static Map<SchemeName, Decision> partsOf(Optional<Decision> joined) {
    return joined
        .map(Decision::memory)
        .filter(Parts.class::isInstance)
        .map(memory -> ((Parts) memory).parts)
        .orElse(Map.of());
  }

  /** What each scheme has decided by itself, with what it remembers. */
  private static final class Parts implements Scheme.Memory {
    private final Map<SchemeName, Decision> parts;

    /** What those who were asked for more had decided before. */
    private final Map<SchemeName, Decision> first;

    Parts(Map<SchemeName, Decision> parts, Map<SchemeName, Decision> first) {
      this.parts = parts;
      this.first = first;
    }
  }
}
