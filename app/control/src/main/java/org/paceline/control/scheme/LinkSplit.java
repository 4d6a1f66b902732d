package org.paceline.control.scheme;

import java.util.List;
import org.paceline.control.inventory.PlacedSchemes;
import org.paceline.control.settings.ElephantSettings;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SchemePlace;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;

/**
 * How much of each link each scheme may use. Fixed rates come first, for they cannot give way.
 * Adaptive reservations have a part of what these leave, service classes one of what is left then,
 * for either would use all of it. Elephants have a little of what is left then, and besides what
 * nobody takes; who is ruled by utility shares the rest.
 */
public final class LinkSplit {
  private static final List<SchemeName> BY_PRECEDENCE =
      List.of(
          SchemeName.FIXED_RATE,
          SchemeName.ADAPTIVE_RESERVATIONS,
          SchemeName.SERVICE_CLASSES,
          SchemeName.ELEPHANT_ISOLATION,
          SchemeName.UTILITY_FAIR);

  private final int fixedRateThousandths;
  private final int adaptiveThousandths;
  private final int classThousandths;
  private final ElephantSettings elephants;
  private final List<SchemePlace> places;

  private LinkSplit(PlannerSettings settings) {
    this.fixedRateThousandths = settings.fixedRateThousandths();
    this.adaptiveThousandths = settings.adaptive().shareThousandths();
    this.classThousandths = settings.classes().shareThousandths();
    this.elephants = settings.elephants();
    this.places = settings.places();
  }

  public static LinkSplit of(PlannerSettings settings) {
    return new LinkSplit(settings);
  }

  /** The most that a scheme may use, in thousandths of what those before it leave. */
  public int most(SchemeName scheme) {
    switch (scheme) {
      case FIXED_RATE:
        return fixedRateThousandths;
      case ADAPTIVE_RESERVATIONS:
        return adaptiveThousandths;
      case SERVICE_CLASSES:
        return classThousandths;
      case ELEPHANT_ISOLATION:
        return elephants.split().leastThousandths();
      case UTILITY_FAIR:
        return Share.WHOLE;
    }
    throw new AssertionError("There is no other scheme (" + scheme + ").");
  }

  /**
   * What a scheme can use whatever the others want, in thousandths of what a plan divides: its
   * share of what is left when those before it have taken all of theirs. Who rules neither a branch
   * nor a place takes nothing.
   */
  public int guaranteed(SchemeName scheme, IntentTree tree) {
    int left = Share.WHOLE;
    for (SchemeName before : BY_PRECEDENCE) {
      if (before == scheme) {
        break;
      }
      left -= rulesAny(before, tree) ? left * most(before) / Share.WHOLE : 0;
    }
    return left * most(scheme) / Share.WHOLE;
  }

  private boolean rulesAny(SchemeName scheme, IntentTree tree) {
    return scheme == SchemeName.ELEPHANT_ISOLATION && elephants.namesAny()
        || PlacedSchemes.nameAny(places, scheme)
        || tree.policies().keySet().stream()
            .anyMatch(path -> tree.resolve(path).scheme().value() == scheme);
  }
}
