package org.paceline.control.explain;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.paceline.control.borrowing.Loans;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.ConversationId;
import org.paceline.control.planning.Plan;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** What of one link is granted, under which schemes, and what is lent beyond that. */
@AutoValue
public abstract class LinkUse {
  public static final LinkUse NONE = new AutoValue_LinkUse(Collections.emptyMap(), DataRate.ZERO);

  /** What each scheme's conversations are granted together; a scheme without any is absent. */
  public abstract Map<SchemeName, DataRate> grantedBy();

  public abstract DataRate lent();

  public DataRate granted() {
    return grantedBy().values().stream().reduce(DataRate.ZERO, DataRate::plus);
  }

  /** Of every link on which something is granted. O(sum of hops). */
  public static Map<LinkId, LinkUse> of(Plan plan, Loans loans, ProofBook proofs) {
    return of(
        plan,
        loans,
        id ->
            proofs
                .find(id)
                .map(proof -> proof.requested().scheme().value())
                .orElse(SchemeName.UTILITY_FAIR));
  }

  static Map<LinkId, LinkUse> of(
      Plan plan, Loans loans, Function<ConversationId, SchemeName> ruledBy) {
    Map<LinkId, Map<SchemeName, DataRate>> granted = new HashMap<>();
    Map<LinkId, DataRate> lent = new HashMap<>();
    for (Map.Entry<ConversationId, Grant> one : plan.grants().entrySet()) {
      SchemeName scheme = ruledBy.apply(one.getKey());
      DataRate beyond = loans.to(one.getKey());
      for (LinkId hop : one.getValue().path().hops()) {
        granted
            .computeIfAbsent(hop, link -> new EnumMap<>(SchemeName.class))
            .merge(scheme, one.getValue().rate(), DataRate::plus);
        lent.merge(hop, beyond, DataRate::plus);
      }
    }
    Map<LinkId, LinkUse> uses = new HashMap<>();
    granted.forEach(
        (link, by) ->
            uses.put(
                link,
                new AutoValue_LinkUse(
                    Collections.unmodifiableMap(by),
                    Optional.ofNullable(lent.get(link)).orElse(DataRate.ZERO))));
    return uses;
  }
}
