package org.paceline.agent.enforce.htb;

import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;

/**
 * The class that conversations' classes are children of, and borrow from: HTB cannot move a class
 * to another parent, so it is there also while nobody may borrow. All that its children send is
 * charged to it, but it holds back only what they send beyond their own rates.
 */
final class PoolClass {
  // Beyond any interface. What a small rate would be charged meanwhile is a debt of up to a minute
  // in the kernel, and nobody could borrow for so long once there is a pool. That nobody borrows
  // without one is up to the children, whose ceilings are their rates then.
  private static final ClassRate NONE = ClassRate.of(20_000_000_000_000L);

  private PoolClass() {}

  /** As the kernel is told of the pool, of which 0 is none. */
  static ClassRate told(ClassRate wanted) {
    return wanted.bitsPerSecond() == 0 ? NONE : wanted;
  }

  /** What the kernel shows of a class, in the terms of who told it. */
  static ClassStatistics understood(ClassStatistics shown) {
    return shown.minor() == ClassIds.POOL && shown.rate().equals(NONE)
        ? shown.withRate(ClassRate.of(0))
        : shown;
  }
}
