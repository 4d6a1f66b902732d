package org.paceline.control.scheme;

import java.util.Map;
import java.util.Optional;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.utility.UtilityFunction;

/**
 * On which links one scheme's conversations have together all that the arbiter left to them: who
 * wants more there is held back by the link, or by the scheme's part of it. O(sum of hops) a link.
 *
 * <p>A scheme that was asked for more ({@link Share#isForMore}) may have no more of a shared link
 * than it took at first, so it takes all of that in any case. If it did not take its share there at
 * first, such a link holds only those back who were held back at first by another link of their
 * path, which has room now. Whoever had enough has it still, and where another link is full now it
 * is that one.
 */
final class FilledLinks {
  /** Shares and rates are rounded down: what lacks less than a thousandth of all is all. */
  private static final long FULL_PARTS = 1_000;

  private final Decision first;
  private final Decision last;
  private final Map<LinkId, Long> firstLoads;
  private final Map<LinkId, Long> loads;

  private FilledLinks(Decision first, Decision last) {
    this.first = first;
    this.last = last;
    this.firstLoads = first.directives().loads();
    this.loads = first == last ? firstLoads : last.directives().loads();
  }

  /**
   * Whether a scheme fills a link.
   *
   * @param first what the scheme decided within its share
   * @param last the same, or what it decided when it was asked for more
   */
  static boolean isFilled(SchemeName scheme, Decision first, Decision last, LinkId link) {
    switch (scheme) {
      case UTILITY_FAIR: // Its prices say more.
      case ELEPHANT_ISOLATION: // Has what nobody else has, and gives it back.
        return false;
      case FIXED_RATE:
        FilledLinks byFixed = new FilledLinks(first, last);
        return byFixed.isAllTaken(link) || byFixed.isTooNarrowForSomebody(link);
      case ADAPTIVE_RESERVATIONS:
      case SERVICE_CLASSES:
        FilledLinks links = new FilledLinks(first, last);
        return links.isFull(link) || links.isHeldToFirst(link) && links.isNowWhatHoldsBack(link);
    }
    throw new AssertionError("There is no other scheme (" + scheme + ").");
  }

  /** Whether it was told that it has there what it took at first, and no more. */
  private boolean isHeldToFirst(LinkId link) {
    return first != last
        && limit(last, link) <= Math.max(Room.NEXT_TO_NOTHING, firstLoads.getOrDefault(link, 0L));
  }

  /** Whether all of it is taken, or of a link that it shares its share. */
  private boolean isFull(LinkId link) {
    return isAllTaken(link) && (!isHeldToFirst(link) || wasAllTaken(link));
  }

  /** Whether somebody who crosses the link was held back at first where there is room now. */
  private boolean isNowWhatHoldsBack(LinkId link) {
    return isAllTaken(link)
        && last.directives().routes().values().stream()
            .map(route -> route.path().hops())
            .filter(hops -> hops.contains(link))
            .anyMatch(
                hops ->
                    hops.stream().anyMatch(this::wasAllTaken)
                        && hops.stream().noneMatch(this::isFull));
  }

  /** A fixed rate is had whole or not at all, so that some of a link may be left to nobody. */
  private boolean isTooNarrowForSomebody(LinkId link) {
    long left = limit(last, link) - loads.getOrDefault(link, 0L);
    return last.applications().stream()
        .filter(
            application ->
                Optional.ofNullable(last.restrained().get(application.id()))
                    .map(Grant::path)
                    .map(Path::hops)
                    .filter(hops -> hops.contains(link))
                    .isPresent())
        .anyMatch(application -> rate(application) > left);
  }

  /** The one rate of an application with a fixed rate, in millibits per second. */
  private static long rate(Application application) {
    UtilityFunction function = application.utilityFunction();
    return function
        .throughput(function.throughputBins() - 1)
        .times(application.count())
        .millibitsPerSecond();
  }

  private boolean isAllTaken(LinkId link) {
    return isAll(loads.getOrDefault(link, 0L), limit(last, link));
  }

  private boolean wasAllTaken(LinkId link) {
    return isAll(firstLoads.getOrDefault(link, 0L), limit(first, link));
  }

  private static boolean isAll(long load, long limit) {
    return load > 0 && load >= limit - limit / FULL_PARTS;
  }

  private static long limit(Decision decision, LinkId link) {
    return decision.network().link(link).map(Link::limitMillibits).orElse(0L);
  }
}
