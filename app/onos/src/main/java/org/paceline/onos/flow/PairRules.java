package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.intents.network.Path;

/**
 * The rules of all conversations between one pair of hosts. One path, the pair's, has one rule a
 * switch for all conversations that take it; only those that take another way, elephants, or whom
 * their first switch must tell from others, have rules of their own above it.
 *
 * <p>Each rule takes only what comes by the port of the sender, or of the switch before it on the
 * path. Packets with the sender's addresses that come in anywhere else are nobody's: they find no
 * meter, no mark and no path of this pair, and default forwarding takes their marks off.
 */
final class PairRules {
  /** Above default forwarding, below a conversation's own. */
  static final int PAIR_PRIORITY = 900;

  /** Below all that conversations are told by: one that has no ports takes its fragments itself. */
  static final int FRAGMENT_PRIORITY = 950;

  /**
   * Of a conversation whose match says least; the more it says, the higher. Below what operators
   * are used to set by hand.
   */
  static final int OWN_PRIORITY = 1_000;

  private final ApplicationId app;
  private final NextHops nextHops;
  private final Treatment treatment;

  PairRules(ApplicationId app, NextHops nextHops, Treatment treatment) {
    this.app = app;
    this.nextHops = nextHops;
    this.treatment = treatment;
  }

  /** Whether a rule has one of the priorities that only conversations' rules have. */
  static boolean isOurs(FlowRule rule) {
    return rule.priority() == PAIR_PRIORITY
        || rule.priority() == FRAGMENT_PRIORITY
        || rule.priority() >= OWN_PRIORITY
            && rule.priority() <= OWN_PRIORITY + ConversationMatch.FULL_DETAIL;
  }

  /**
   * The path of most conversations, elephants aside unless there are no others; the one before
   * stays while anybody takes it.
   */
  static Path common(Collection<Lead> leads, Optional<Path> before) {
    Map<String, Long> counts = new TreeMap<>();
    leads.forEach(
        lead -> counts.merge(lead.path().toString(), lead.isApart() ? 0L : 1L, Long::sum));
    return before
        .filter(path -> counts.containsKey(path.toString()))
        .orElseGet(
            () ->
                leads.stream()
                    .map(Lead::path)
                    .max(
                        Comparator.<Path>comparingLong(
                                path -> counts.getOrDefault(path.toString(), 0L))
                            .thenComparing(Path::toString, Comparator.reverseOrder()))
                    .orElseThrow());
  }

  /** Every switch's rules; a switch whose ports are not known is left to default forwarding. */
  List<PlacedRule> of(Collection<Lead> leads, Path common) {
    List<PlacedRule> rules = new ArrayList<>();
    for (Lead lead : leads) {
      boolean onCommon = isOn(common, lead);
      for (Crossing at : Crossing.of(lead.path())) {
        boolean apart = at.isFirst && (treatment.isApart() || lead.meter().isPresent());
        // Elephants' marks are none that the shared rules look for.
        if (apart || !onCommon) {
          rules.addAll(own(lead, onCommon, at));
        }
      }
    }
    for (Transport transport : List.of(Transport.TCP, Transport.UDP)) {
      roomiest(leads, transport)
          .ifPresent(lead -> rules.addAll(fragments(lead, isOn(common, lead), transport)));
    }
    leads.stream()
        .filter(lead -> isOn(common, lead))
        .findFirst()
        .ifPresent(any -> rules.addAll(shared(any, leads)));
    return once(rules);
  }

  /**
   * Whose meter fragments pass: nothing tells of which conversation they are, so honest ones are to
   * be hindered least. Empty where no metered conversation is told by ports of this transport.
   */
  private static Optional<Lead> roomiest(Collection<Lead> leads, Transport transport) {
    return leads.stream()
        .filter(lead -> lead.meter().isPresent())
        .filter(lead -> ConversationMatch.hasPorts(lead.conversation(), transport))
        .max(
            Comparator.<Lead>comparingLong(lead -> lead.meter().orElseThrow().kbps())
                .thenComparing(lead -> lead.conversation().id(), Comparator.reverseOrder()));
  }

  /**
   * Fragments show no ports, so that whoever sends its packets in fragments would pass no meter.
   * They take the path of the conversation whose meter they pass.
   */
  private List<PlacedRule> fragments(Lead lead, boolean onCommon, Transport transport) {
    List<PlacedRule> rules = new ArrayList<>();
    TrafficSelector selector = ConversationMatch.fragments(lead.conversation(), transport);
    for (Crossing at : Crossing.of(lead.path())) {
      if (at.isFirst || !onCommon) {
        placed(onCommon, at, FRAGMENT_PRIORITY, selector, ownTreatment(lead, at))
            .ifPresent(rules::add);
      }
    }
    return rules;
  }

  private static boolean isOn(Path common, Lead lead) {
    return !lead.isApart() && lead.path().equals(common);
  }

  private List<PlacedRule> shared(Lead any, Collection<Lead> leads) {
    boolean allApart =
        treatment.isApart()
            || leads.stream()
                .filter(lead -> isOn(any.path(), lead))
                .allMatch(lead -> lead.meter().isPresent());
    List<PlacedRule> rules = new ArrayList<>();
    for (Crossing at : Crossing.of(any.path())) {
      TrafficSelector.Builder selector = ConversationMatch.pair(any.conversation());
      TrafficTreatment.Builder does = DefaultTrafficTreatment.builder();
      if (!at.isFirst) {
        treatment.narrow(selector);
        treatment.onward(at.device(), does);
      }
      if (!at.isFirst || !allApart) {
        placed(true, at, PAIR_PRIORITY, selector.build(), does).ifPresent(rules::add);
      }
    }
    return rules;
  }

  /** Of two conversations with the same match the first has it: a switch holds one rule of them. */
  private static List<PlacedRule> once(List<PlacedRule> rules) {
    Map<FlowRule, PlacedRule> once = new LinkedHashMap<>();
    rules.forEach(placed -> once.putIfAbsent(placed.rule, placed));
    return new ArrayList<>(once.values());
  }

  /** One for each of its matches, all doing the same. */
  private List<PlacedRule> own(Lead lead, boolean onCommon, Crossing at) {
    Conversation conversation = lead.conversation();
    List<PlacedRule> rules = new ArrayList<>();
    for (PacketMatch match : conversation.matches()) {
      int priority = OWN_PRIORITY + ConversationMatch.detail(match);
      TrafficSelector selector = ConversationMatch.of(conversation, match);
      placed(onCommon, at, priority, selector, ownTreatment(lead, at)).ifPresent(rules::add);
    }
    return rules;
  }

  private TrafficTreatment.Builder ownTreatment(Lead lead, Crossing at) {
    TrafficTreatment.Builder does = DefaultTrafficTreatment.builder();
    if (at.isFirst) {
      lead.meterId().ifPresent(does::meter);
    }
    if (lead.isApart()) {
      if (at.isFirst) {
        treatment.markElephant(does);
      }
    } else if (at.isFirst) {
      treatment.atFirst(at.device(), does);
    } else {
      treatment.onward(at.device(), does);
    }
    return does;
  }

  /** Takes what comes by the port of the sender, or of the switch before, and nothing else. */
  private Optional<PlacedRule> placed(
      boolean onCommon,
      Crossing at,
      int priority,
      TrafficSelector selector,
      TrafficTreatment.Builder does) {
    return nextHops
        .arrival(at.coming)
        .flatMap(
            in ->
                nextHops
                    .port(at.leaving)
                    .map(
                        out ->
                            rule(
                                at.device(),
                                priority,
                                ConversationMatch.comingBy(in, selector),
                                does.setOutput(out).build())))
        .map(rule -> new PlacedRule(rule, onCommon, at.distance));
  }

  private FlowRule rule(
      DeviceId device, int priority, TrafficSelector selector, TrafficTreatment treated) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .fromApp(app)
        .withPriority(priority)
        .makePermanent()
        .withSelector(selector)
        .withTreatment(treated)
        .build();
  }
}
