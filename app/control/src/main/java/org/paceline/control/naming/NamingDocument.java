package org.paceline.control.naming;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.AddressPrefix;
import org.paceline.intents.document.Quoted;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.unit.Dscp;

/**
 * Naming rules as maps, lists and texts, which JSON and YAML are made of. The words are those of
 * the rules of host agents.
 */
public final class NamingDocument {
  private static final int MOST_RULES = 1_000;
  private static final int MOST_MACS = 20_000;
  private static final int MOST_FAULTS = 20;
  private static final int HIGHEST_VLAN = 4_094;
  private static final Set<String> TOP = Set.of("addresses", "macs", "rules");
  private static final Set<String> RULE = Set.of("name", "intent", "ignore", "match", "group");
  private static final Set<String> MATCH =
      Set.of(
          "localMac",
          "vlan",
          "localAddress",
          "remoteAddress",
          "protocol",
          "localPort",
          "remotePort",
          "dscp");

  private final List<String> faults = new ArrayList<>();

  private NamingDocument() {}

  /** In the order in which people write it. */
  public static Map<String, Object> write(NamingRules rules) {
    Map<String, Object> document = new LinkedHashMap<>();
    if (!rules.addresses().isEmpty()) {
      Map<String, Object> addresses = new LinkedHashMap<>();
      rules
          .addresses()
          .forEach((name, all) -> addresses.put(name, texts(all, AddressPrefix::toString)));
      document.put("addresses", addresses);
    }
    if (!rules.macs().isEmpty()) {
      document.put("macs", macs(rules.macs()));
    }
    document.put("rules", texts(rules.rules(), NamingDocument::rule));
    return document;
  }

  static Map<String, Object> macs(Map<String, List<MacPrefix>> lists) {
    Map<String, Object> macs = new LinkedHashMap<>();
    lists.forEach((name, all) -> macs.put(name, texts(all, NamingDocument::mac)));
    return macs;
  }

  private static <T> List<Object> texts(List<T> all, Function<T, Object> text) {
    List<Object> texts = new ArrayList<>();
    all.forEach(one -> texts.add(text.apply(one)));
    return texts;
  }

  private static Object mac(MacPrefix mac) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("mac", mac.prefix());
    if (!mac.name().isEmpty()) {
      named.put("name", mac.name());
    }
    return named;
  }

  private static Map<String, Object> rule(NamingRule rule) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", rule.name());
    rule.intent()
        .ifPresentOrElse(
            intent -> map.put("intent", intent.toString()), () -> map.put("ignore", true));
    Map<String, Object> match = new LinkedHashMap<>();
    Conditions asked = rule.conditions();
    asked.localMac().ifPresent(macs -> match.put("localMac", List.copyOf(macs.words())));
    asked.vlan().ifPresent(vlan -> match.put("vlan", vlan));
    asked.localAddress().ifPresent(set -> match.put("localAddress", List.copyOf(set.words())));
    asked.remoteAddress().ifPresent(set -> match.put("remoteAddress", List.copyOf(set.words())));
    asked.protocol().ifPresent(t -> match.put("protocol", t.name().toLowerCase(Locale.ROOT)));
    asked.localPort().ifPresent(ports -> match.put("localPort", ports.toString()));
    asked.remotePort().ifPresent(ports -> match.put("remotePort", ports.toString()));
    asked.dscp().ifPresent(dscp -> match.put("dscp", Dscp.text(dscp)));
    if (!match.isEmpty()) {
      map.put("match", match);
    }
    if (rule.grouping() == NamingRule.Grouping.SOCKET) {
      map.put("group", "socket");
    }
    return map;
  }

  /**
   * @throws IllegalArgumentException with every fault
   */
  public static NamingRules read(Object document) {
    NamingDocument reading = new NamingDocument();
    NamingRules rules = reading.rules(document);
    if (!reading.faults.isEmpty()) {
      int shown = Math.min(MOST_FAULTS, reading.faults.size());
      String more =
          shown < reading.faults.size()
              ? "\n" + (reading.faults.size() - shown) + " more faults are left out."
              : "";
      throw new IllegalArgumentException(
          String.join("\n", reading.faults.subList(0, shown)) + more);
    }
    return rules;
  }

  private NamingRules rules(Object document) {
    Map<String, Object> top = map("The body", document);
    only("The body", top, TOP);
    Map<String, List<AddressPrefix>> addresses = new TreeMap<>();
    map("The (addresses)", top.getOrDefault("addresses", Map.of()))
        .forEach(
            (name, words) ->
                checked("(addresses)", () -> SetName.checked("name of addresses", name))
                    .ifPresent(
                        key ->
                            addresses.put(
                                key, each("addresses (" + name + ")", words, this::prefix))));
    Map<String, List<MacPrefix>> macs = new TreeMap<>();
    map("The (macs)", top.getOrDefault("macs", Map.of()))
        .forEach(
            (name, words) ->
                checked("(macs)", () -> SetName.checked("name of macs", name))
                    .ifPresent(
                        key -> macs.put(key, each("macs (" + name + ")", words, this::mac))));
    int count = macs.values().stream().mapToInt(List::size).sum();
    if (count > MOST_MACS) {
      faults.add(
          "The MAC addresses ("
              + count
              + ") are more than "
              + MOST_MACS
              + ". Maybe name makers by their first three octets.");
    }
    if (!top.containsKey("rules")) {
      faults.add("The member (rules) is missing: a list of rules, the first that matches decides.");
    }
    List<Object> items = list("(rules)", top.getOrDefault("rules", List.of()));
    if (items.size() > MOST_RULES) {
      faults.add("The rules (" + items.size() + ") are more than " + MOST_RULES + ".");
      return NamingRules.NONE;
    }
    List<NamingRule> rules = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String place = "rule " + (i + 1);
      rule(place, items.get(i), addresses, macs)
          .ifPresent(
              rule -> {
                rules.add(rule);
                if (!names.add(rule.name())) {
                  faults.add(
                      place
                          + ": There is a rule ("
                          + rule.name()
                          + ") before it. Maybe give it another name.");
                }
              });
    }
    return NamingRules.of(addresses, macs, rules);
  }

  private Optional<AddressPrefix> prefix(String place, Object word) {
    return text(place, word).flatMap(text -> checked(place, () -> AddressPrefix.parse(text)));
  }

  private Optional<MacPrefix> mac(String place, Object entry) {
    if (entry instanceof Map) {
      Map<String, Object> named = map(place, entry);
      only(place, named, Set.of("mac", "name"));
      String name = named.containsKey("name") ? text(place, named.get("name")).orElse("") : "";
      return text(place, named.getOrDefault("mac", ""))
          .flatMap(text -> checked(place, () -> MacPrefix.parse(text, name)));
    }
    return text(place, entry).flatMap(text -> checked(place, () -> MacPrefix.parse(text, "")));
  }

  private Optional<NamingRule> rule(
      String place,
      Object item,
      Map<String, List<AddressPrefix>> addresses,
      Map<String, List<MacPrefix>> macs) {
    int before = faults.size();
    Map<String, Object> rule = map(place, item);
    only(place, rule, RULE);
    Optional<String> name =
        take(place, rule, "name", text -> SetName.checked("name of a rule", text));
    if (!rule.containsKey("name")) {
      faults.add(place + ": The member (name) is missing. Maybe say what the rule is for.");
    }
    Optional<IntentPath> intent = take(place, rule, "intent", NamingDocument::intent);
    Object ignore = rule.getOrDefault("ignore", false);
    if (!(ignore instanceof Boolean)) {
      faults.add(place + ": The ignore " + Quoted.of("" + ignore) + " must be true or false.");
    } else if (rule.containsKey("intent") == (Boolean) ignore) {
      faults.add(place + ": A rule gives an intent or says (ignore: true), one of the two.");
    }
    Optional<NamingRule.Grouping> group = take(place, rule, "group", NamingDocument::grouping);
    Map<String, Object> match = map(place + ", match", rule.getOrDefault("match", Map.of()));
    only(place + ", match", match, MATCH);
    Conditions conditions =
        Conditions.builder()
            .localMac(words(place, match, "localMac").flatMap(all -> macSet(place, all, macs)))
            .vlan(take(place, match, "vlan", NamingDocument::vlan))
            .localAddress(
                words(place, match, "localAddress")
                    .flatMap(all -> checked(place, () -> AddressSet.of(all, addresses))))
            .remoteAddress(
                words(place, match, "remoteAddress")
                    .flatMap(all -> checked(place, () -> AddressSet.of(all, addresses))))
            .protocol(take(place, match, "protocol", NamingDocument::protocol))
            .localPort(take(place, match, "localPort", PortRanges::parse))
            .remotePort(take(place, match, "remotePort", PortRanges::parse))
            .dscp(take(place, match, "dscp", Dscp::parse))
            .build();
    return faults.size() == before && name.isPresent()
        ? Optional.of(
            NamingRule.of(
                name.get(), intent, conditions, group.orElse(NamingRule.Grouping.ADDRESS)))
        : Optional.empty();
  }

  private Optional<MacSet> macSet(
      String place, List<String> all, Map<String, List<MacPrefix>> macs) {
    return checked(place, () -> MacSet.of(all, macs));
  }

  private static IntentPath intent(String text) {
    IntentPath path = IntentPath.parse(text);
    if (path.isRoot()) {
      throw new IllegalArgumentException(
          "The intent is empty. Maybe you meant class/intent, or (ignore: true).");
    }
    return path;
  }

  private static NamingRule.Grouping grouping(String text) {
    switch (text) {
      case "address":
        return NamingRule.Grouping.ADDRESS;
      case "socket":
        return NamingRule.Grouping.SOCKET;
      default:
        throw new IllegalArgumentException(
            "The group " + Quoted.of(text) + " is unknown. Maybe you meant address or socket.");
    }
  }

  private static Transport protocol(String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "tcp":
        return Transport.TCP;
      case "udp":
        return Transport.UDP;
      default:
        throw new IllegalArgumentException(
            "The protocol " + Quoted.of(text) + " is unknown. Maybe you meant tcp or udp.");
    }
  }

  private static int vlan(String text) {
    if (text.matches("\\d{1,4}")) {
      int vlan = Integer.parseInt(text);
      if (vlan >= 1 && vlan <= HIGHEST_VLAN) {
        return vlan;
      }
    }
    throw new IllegalArgumentException(
        "The vlan " + Quoted.of(text) + " must be a number from 1 to " + HIGHEST_VLAN + ".");
  }

  /** One word or a list of such. */
  private Optional<List<String>> words(String place, Map<String, Object> map, String member) {
    if (!map.containsKey(member)) {
      return Optional.empty();
    }
    Object value = map.get(member);
    List<String> words =
        each(place + ", " + member, value instanceof List ? value : List.of(value), this::text);
    return Optional.of(words);
  }

  private <T> Optional<T> take(
      String place, Map<String, Object> map, String member, Function<String, T> parse) {
    return map.containsKey(member)
        ? text(place + ", " + member, map.get(member))
            .flatMap(text -> checked(place, () -> parse.apply(text)))
        : Optional.empty();
  }

  /** Reads one of a list. */
  private interface Reader<T> {
    Optional<T> read(String place, Object value);
  }

  private <T> List<T> each(String place, Object value, Reader<T> reader) {
    List<T> read = new ArrayList<>();
    List<Object> all = list(place, value);
    if (all.isEmpty()) {
      faults.add(place + ": The list is empty. Maybe leave it out.");
    }
    all.forEach(one -> reader.read(place, one).ifPresent(read::add));
    return read;
  }

  /** Anything that parses and refuses by an exception. */
  private interface Parsing<T> {
    T parse();
  }

  private <T> Optional<T> checked(String place, Parsing<T> parsing) {
    try {
      return Optional.of(parsing.parse());
    } catch (IllegalArgumentException fault) {
      faults.add(place + ": " + fault.getMessage());
      return Optional.empty();
    }
  }

  private Optional<String> text(String place, Object value) {
    if (value instanceof String) {
      return Optional.of((String) value);
    }
    if (value instanceof Integer || value instanceof Long || value instanceof BigInteger) {
      return Optional.of(value.toString());
    }
    faults.add(
        place
            + ": The value "
            + Quoted.of(String.valueOf(value))
            + " must be a text"
            + (value instanceof BigDecimal || value instanceof Double
                ? ". Maybe put it in quotes."
                : "."));
    return Optional.empty();
  }

  private List<Object> list(String place, Object value) {
    if (value instanceof List) {
      return new ArrayList<>((List<?>) value);
    }
    faults.add(place + ": The value " + Quoted.of(String.valueOf(value)) + " must be a list.");
    return List.of();
  }

  private Map<String, Object> map(String place, Object value) {
    if (!(value instanceof Map)) {
      faults.add(place + " must be an object, such as {name: value}.");
      return Map.of();
    }
    Map<String, Object> map = new LinkedHashMap<>();
    ((Map<?, ?>) value).forEach((key, one) -> map.put(String.valueOf(key), one));
    return map;
  }

  private void only(String place, Map<String, Object> map, Set<String> known) {
    map.keySet().stream()
        .filter(member -> !known.contains(member))
        .forEach(
            member ->
                faults.add(
                    place
                        + ": There is no member "
                        + Quoted.of(member)
                        + ". Maybe one of "
                        + new TreeSet<>(known)
                        + "."));
  }
}
