package org.paceline.control.planning;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Unserved;
import org.paceline.control.scheme.Arbiter;
import org.paceline.control.scheme.Decision;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * What the plan in force would become if something were otherwise, as the scheme itself says of a
 * copy. Both sides are what it said: who ended since the plan was made is still in them.
 */
@AutoValue
public abstract class WhatIfResult {
  /** With the capacities that are divided: without headroom and reserve. */
  public abstract Network network();

  /** As planned. */
  public abstract NavigableMap<ConversationId, Grant> before();

  /**
   * Of the plan, in utility per Mbit/s: what one more would be worth to all; a link without a price
   * binds nobody.
   */
  public abstract Map<LinkId, Double> prices();

  public abstract NavigableMap<ConversationId, Grant> after();

  /** Who would get nothing, and why. */
  public abstract NavigableMap<ConversationId, Unserved> unserved();

  /** What the solver would remark, such as that not everybody's least rate fits. */
  public abstract List<String> remarks();

  /** Of the plan, with what each scheme decided by itself. */
  abstract Decision planned();

  /** What each scheme's conversations have of a link together, as planned; none has no entry. */
  public Map<SchemeName, DataRate> grantedBy(LinkId link) {
    Map<SchemeName, DataRate> by = new EnumMap<>(SchemeName.class);
    for (SchemeName scheme : SchemeName.values()) {
      Arbiter.partOf(planned(), scheme)
          .map(part -> together(part.grants(), link))
          .filter(rate -> rate.compareTo(DataRate.ZERO) > 0)
          .ifPresent(rate -> by.put(scheme, rate));
    }
    return Collections.unmodifiableMap(by);
  }

  /** Schemes whose conversations have together all that they could have of a link, as planned. */
  public Set<SchemeName> filledBy(LinkId link) {
    Set<SchemeName> filling = EnumSet.noneOf(SchemeName.class);
    for (SchemeName scheme : SchemeName.values()) {
      if (Arbiter.isFilledBy(planned(), scheme, link)) {
        filling.add(scheme);
      }
    }
    return Collections.unmodifiableSet(filling);
  }

  /** What those who are not served are held to on a link together, as planned. */
  public DataRate heldTo(LinkId link) {
    return together(planned().restrained(), link);
  }

  private static DataRate together(Map<String, Grant> grants, LinkId link) {
    return grants.values().stream()
        .filter(grant -> grant.path().hops().contains(link))
        .map(grant -> grant.rate().times(grant.count()))
        .reduce(DataRate.ZERO, DataRate::plus);
  }

  static WhatIfResult of(Decision before, Decision after, NodeNames names) {
    return new AutoValue_WhatIfResult(
        before.network(),
        byConversation(before.grants(), grant -> grant),
        // Billionths of utility per millibit a second are the same number: both are 10^9.
        Collections.unmodifiableMap(new TreeMap<>(before.prices())),
        byConversation(after.grants(), grant -> grant),
        byConversation(after.unserved(), why -> why.named(names)),
        after.remarks(),
        before);
  }

  private static <T> NavigableMap<ConversationId, T> byConversation(
      Map<String, T> byId, UnaryOperator<T> shown) {
    NavigableMap<ConversationId, T> map = new TreeMap<>();
    byId.forEach(
        (id, value) -> ConversationId.tryParse(id).ifPresent(i -> map.put(i, shown.apply(value))));
    return Collections.unmodifiableNavigableMap(map);
  }
}
