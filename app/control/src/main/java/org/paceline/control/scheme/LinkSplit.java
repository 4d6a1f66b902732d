package org.paceline.control.scheme;

import java.util.List;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;

/**
 * How much of each link each scheme may use. Fixed rates come first, for they cannot give way; who
 * is ruled by utility shares the rest.
 */
public final class LinkSplit {
  private static final List<SchemeName> BY_PRECEDENCE =
      List.of(SchemeName.FIXED_RATE, SchemeName.UTILITY_FAIR);

  private final int fixedRateThousandths;

  private LinkSplit(int fixedRateThousandths) {
    this.fixedRateThousandths = fixedRateThousandths;
  }

  public static LinkSplit of(PlannerSettings settings) {
    return new LinkSplit(settings.fixedRateThousandths());
  }

  /** The most that a scheme may use, in thousandths of what a plan divides. */
  public int most(SchemeName scheme) {
    return scheme == SchemeName.FIXED_RATE ? fixedRateThousandths : Share.WHOLE;
  }

  /**
   * What a scheme can use whatever the others want: its own share, and for the last one what is
   * left when those before it have taken all of theirs. Who rules no branch takes nothing.
   */
  public int guaranteed(SchemeName scheme, IntentTree tree) {
    int left = Share.WHOLE;
    for (SchemeName before : BY_PRECEDENCE) {
      if (before == scheme) {
        break;
      }
      left -= rulesAny(before, tree) ? most(before) : 0;
    }
    return Math.min(left, most(scheme));
  }

  private static boolean rulesAny(SchemeName scheme, IntentTree tree) {
    return tree.policies().keySet().stream()
        .anyMatch(path -> tree.resolve(path).scheme().value() == scheme);
  }
}
