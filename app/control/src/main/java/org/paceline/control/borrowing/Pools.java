package org.paceline.control.borrowing;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.PoolId;
import org.paceline.intents.unit.DataRate;

/**
 * Who may borrow, at the kernel's speed, what others of the same interface leave unused. In force
 * only as far as every link has room for it ({@link RateLedger}).
 */
@AutoValue
public abstract class Pools {
  public static final Pools NONE = of(Map.of(), Map.of());

  /** What an interface's conversations may send together while some of them borrow. */
  public abstract Map<PoolId, DataRate> rates();

  /** What a conversation may send then; whoever may not borrow is not named. */
  public abstract Map<ConversationId, DataRate> limits();

  /** Who of them borrows first ({@link BorrowRanks}); without a rank: before all others. */
  abstract Map<ConversationId, Integer> ranks();

  public static Pools of(Map<PoolId, DataRate> rates, Map<ConversationId, DataRate> limits) {
    return new AutoValue_Pools(
        Collections.unmodifiableMap(new TreeMap<>(rates)),
        Collections.unmodifiableMap(new TreeMap<>(limits)),
        Map.of());
  }

  Pools ranked(Map<ConversationId, Integer> ranks) {
    return new AutoValue_Pools(
        rates(), limits(), Collections.unmodifiableMap(new TreeMap<>(ranks)));
  }

  /** In millibits per second; 0 where there is none. */
  public long rate(PoolId id) {
    return rates().getOrDefault(id, DataRate.ZERO).millibitsPerSecond();
  }

  public int rank(ConversationId id) {
    return ranks().getOrDefault(id, 0);
  }

  /** In millibits per second; 0 where it may not borrow. */
  public long limit(ConversationId id) {
    return limits().getOrDefault(id, DataRate.ZERO).millibitsPerSecond();
  }
}
