package org.paceline.agent.tracking;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.paceline.agent.application.Applicant;
import org.paceline.agent.application.Claims;
import org.paceline.agent.application.ReportedKpi;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.ConversationKey;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.Rule;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.SocketFacts;
import org.paceline.intents.tree.IntentPath;

/**
 * What sockets are for: as applications have claimed, or else by the rules. Owned by one thread.
 */
public final class SocketNames {
  private final RuleSet rules;
  private final SocketTable socketTable;
  private final Claims claims;
  private final Map<Flow, IntentPath> claimed = new HashMap<>();

  public SocketNames(RuleSet rules, SocketTable socketTable, Claims claims) {
    this.rules = rules;
    this.socketTable = socketTable;
    this.claims = claims;
  }

  public Claims claims() {
    return claims;
  }

  /** Looks up the sockets of every claim, after these have been read. */
  void refresh() {
    claims.refresh(socketTable.inodes());
  }

  /** Whose files are claimed may change them without any socket changing. */
  boolean canChangeUnseen() {
    return !claims.areNone() || !claimed.isEmpty();
  }

  /** Empty where the socket is to be left alone. */
  Optional<RuleSet.Name> name(SocketFacts facts) {
    // What tells the controller of all others must not wait behind one of them.
    if (socketTable.isOwnChannel(facts.flow())) {
      return Optional.empty();
    }
    Optional<RuleSet.Name> byRules = rules.name(facts);
    Optional<IntentPath> claim = claim(facts.flow());
    claim.ifPresent(intent -> claimed.put(facts.flow(), intent));
    return claim.map(intent -> byClaim(intent, byRules)).or(() -> byRules);
  }

  /** Who claims what the rules say has KPIs to report: nothing is sorted otherwise by it. */
  private static RuleSet.Name byClaim(IntentPath intent, Optional<RuleSet.Name> byRules) {
    return byRules
        .filter(name -> name.intent().equals(intent))
        .filter(name -> name.grouping() == Rule.Grouping.ADDRESS)
        .orElseGet(() -> new RuleSet.Name(intent, Rule.Grouping.ADDRESS, RuleSet.Coverage.SOCKET));
  }

  /** Applications say what they send. */
  private Optional<IntentPath> claim(Flow flow) {
    return flow.direction() == Direction.OUT
        ? claims.intent(socketTable.inode(flow))
        : Optional.empty();
  }

  /** Whether it is claimed otherwise than when it was named, or not any more. */
  boolean isClaimedOtherwise(Flow flow) {
    return !claim(flow).equals(Optional.ofNullable(claimed.get(flow)));
  }

  /** Whether the rules name it otherwise by now. A claim goes before them. */
  boolean isNamedOtherwise(Conversation conversation, Flow flow) {
    return !claimed.containsKey(flow)
        && !rules
            .name(socketTable.facts(flow))
            .map(name -> ConversationKey.of(name.intent(), name.grouping(), flow))
            .equals(Optional.of(conversation.key()));
  }

  /** It is to be named anew. */
  void forget(Flow flow) {
    claimed.remove(flow);
  }

  void keepClaimed(Predicate<Flow> open) {
    claimed.keySet().removeIf(open.negate());
  }

  /** What applications measured themselves on this conversation's sockets. */
  public Map<String, ReportedKpi> kpis(Conversation conversation) {
    Map<String, ReportedKpi> kpis = new TreeMap<>();
    if (!claims.isEmpty() && !conversation.incoming()) {
      for (Flow flow : conversation.flows()) {
        claims
            .kpis(socketTable.inode(flow))
            .forEach((name, kpi) -> kpis.merge(name, kpi, ReportedKpi.LATEST));
      }
    }
    return kpis;
  }

  public boolean isClaimedBy(Applicant by, Conversation conversation) {
    return !conversation.incoming()
        && conversation.flows().stream().anyMatch(f -> claims.isBy(by, socketTable.inode(f)));
  }
}
