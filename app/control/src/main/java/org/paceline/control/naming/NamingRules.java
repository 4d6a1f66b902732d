package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.paceline.control.model.PacketMatch;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.TrafficDirection;

/**
 * Names flows by a packet of theirs: the first rule that matches decides. What none matches is left
 * alone. O(rules) for a packet.
 */
@AutoValue
public abstract class NamingRules {
  public static final NamingRules NONE = of(Map.of(), Map.of(), List.of());

  /** Beside the rules, for them to say {@code @name}. */
  public abstract Map<String, List<AddressPrefix>> addresses();

  /** Beside the rules, for them to say {@code @name}: a company's phones, for one. */
  public abstract Map<String, List<MacPrefix>> macs();

  public abstract List<NamingRule> rules();

  static NamingRules of(
      Map<String, List<AddressPrefix>> addresses,
      Map<String, List<MacPrefix>> macs,
      List<NamingRule> rules) {
    return new AutoValue_NamingRules(
        Collections.unmodifiableMap(new TreeMap<>(addresses)),
        Collections.unmodifiableMap(new TreeMap<>(macs)),
        List.copyOf(rules));
  }

  /**
   * The same with this list of MAC addresses in the place of the one of its name, if there was one.
   *
   * @throws IllegalArgumentException if it cannot have this name, or there are too many
   */
  public final NamingRules withMacs(String name, List<MacPrefix> list) {
    Map<String, Object> document = NamingDocument.write(this);
    Map<String, List<MacPrefix>> all = new TreeMap<>(macs());
    all.put(SetName.checked("name of macs", name), list);
    document.put("macs", NamingDocument.macs(all));
    return NamingDocument.read(document);
  }

  /** The rule that names a flow, and which packets between its two hosts it names alike. */
  @AutoValue
  public abstract static class Name {
    public abstract NamingRule rule();

    public abstract IntentPath intent();

    /** At least the flow's own; all that the rule names for certain, where it groups. */
    public abstract PacketMatch packets();

    /**
     * Which end sends them. A port for which the rule does not ask is theirs only since an earlier
     * rule asks for another one: it need not be the server's, so both ports of the packet say it.
     */
    final TrafficDirection direction(PacketFacts packet) {
      Conditions asked = rule().conditions();
      boolean isOfAllPorts = packets().localPort() == 0 && packets().remotePort() == 0;
      return isOfAllPorts || asked.localPort().isPresent() || asked.remotePort().isPresent()
          ? TrafficDirection.ofPorts(packets().localPort(), packets().remotePort())
          : TrafficDirection.ofPorts(packet.localPort(), packet.remotePort());
    }
  }

  /** Empty where the flow is to be left alone. */
  public Optional<Name> name(PacketFacts packet) {
    for (int i = 0; i < rules().size(); i++) {
      NamingRule rule = rules().get(i);
      if (rule.conditions().match(packet)) {
        Optional<PacketMatch> packets = packets(i, packet);
        return rule.intent()
            .flatMap(
                intent ->
                    packets.map(found -> new AutoValue_NamingRules_Name(rule, intent, found)));
      }
    }
    return Optional.empty();
  }

  /** Empty where no switch could tell them from others: what has no ports, and is not all. */
  private Optional<PacketMatch> packets(int index, PacketFacts packet) {
    Transport transport = packet.transport();
    NamingRule rule = rules().get(index);
    List<PacketMatch> widest = new ArrayList<>();
    if (rule.grouping() == NamingRule.Grouping.ADDRESS) {
      widest.add(PacketMatch.of(Transport.ANY, 0, 0));
      if (transport != Transport.ANY) {
        widest.add(PacketMatch.of(transport, 0, 0));
        widest.add(PacketMatch.of(transport, 0, packet.remotePort()));
        widest.add(PacketMatch.of(transport, packet.localPort(), 0));
      }
    }
    Optional<PacketMatch> all =
        widest.stream().filter(wide -> isAlike(index, wide, packet)).findFirst();
    return all.isPresent() || transport == Transport.ANY
        ? all
        : Optional.of(PacketMatch.of(transport, packet.localPort(), packet.remotePort()));
  }

  /** Whether all of them have this rule for their first: none before could take one of them. */
  private boolean isAlike(int index, PacketMatch all, PacketFacts packet) {
    return rules().get(index).conditions().matchAllOf(all)
        && rules().subList(0, index).stream()
            .noneMatch(earlier -> earlier.conditions().mayMatchOneOf(all, packet));
  }

  /**
   * What is odd in the list, for a person: a rule that one before it covers, and an intent that the
   * tree does not have.
   */
  public List<String> warnings(Predicate<IntentPath> isKnown) {
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < rules().size(); i++) {
      NamingRule rule = rules().get(i);
      rules().subList(0, i).stream()
          .filter(earlier -> earlier.conditions().cover(rule.conditions()))
          .findFirst()
          .ifPresent(
              earlier ->
                  warnings.add(
                      "The rule ("
                          + rule.name()
                          + ") never matches: ("
                          + earlier.name()
                          + ") before it takes all that it asks for. Maybe put it first."));
      rule.intent()
          .filter(intent -> !isKnown.test(intent))
          .ifPresent(
              intent ->
                  warnings.add(
                      "The rule ("
                          + rule.name()
                          + ") names the intent ("
                          + intent
                          + "), which is no longer in the tree: what is above it holds. Maybe name"
                          + " another."));
    }
    return warnings;
  }
}
