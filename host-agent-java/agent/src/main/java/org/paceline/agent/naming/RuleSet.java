package org.paceline.agent.naming;

import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.intents.tree.IntentPath;

/**
 * Names a socket's (class, intent): the first rule that matches decides. Also tells which other
 * sockets will be named alike whoever owns them, so that the kernel can sort those by itself.
 */
public final class RuleSet {
  private final List<Rule> rules;
  private final List<Rule> all;
  private final boolean manageUnmatched;
  private final Optional<Rule> controllersPort;
  private final Set<Direction> named;

  /**
   * @param manageUnmatched whether what a socket without a rule sends is a conversation without an
   *     intent, or left alone
   */
  public RuleSet(List<Rule> rules, boolean manageUnmatched) {
    this(rules, manageUnmatched, Optional.empty());
  }

  private RuleSet(List<Rule> rules, boolean manageUnmatched, Optional<Rule> controllersPort) {
    this.rules = List.copyOf(rules);
    this.manageUnmatched = manageUnmatched;
    this.controllersPort = controllersPort;
    // As if the file ended with it.
    this.all =
        Stream.concat(
                rules.stream(),
                unmatched(Direction.OUT)
                    .map(root -> last("no rule matches", Optional.of(root), Conditions.NONE))
                    .stream())
            .toList();
    this.named = EnumSet.noneOf(Direction.class);
    rules.stream()
        .filter(rule -> rule.intent().isPresent())
        .forEach(rule -> named.add(rule.direction()));
    if (manageUnmatched) {
      named.add(Direction.OUT);
    }
  }

  private static Rule last(String place, Optional<IntentPath> intent, Conditions conditions) {
    return new Rule(place, intent, conditions, Rule.Grouping.ADDRESS, Direction.OUT);
  }

  /**
   * The same, where the controller has this port: what goes there does not wait with newcomers, for
   * it may be the agent's own channel, which is never a conversation and so would not leave them.
   */
  public RuleSet withController(int port) {
    Conditions toIt =
        new Conditions(
            Optional.of(Transport.TCP),
            Optional.empty(),
            Optional.of(PortRanges.parse(Integer.toString(port))),
            Optional.empty(),
            Optional.empty(),
            Map.of());
    return new RuleSet(
        rules, manageUnmatched, Optional.of(last("the controller's port", Optional.empty(), toIt)));
  }

  /** The same, where agents speak to this group: what goes there is left alone. */
  public RuleSet withPeers(InetAddress group, int port) {
    Conditions toThem =
        new Conditions(
            Optional.of(Transport.UDP),
            Optional.empty(),
            Optional.of(PortRanges.parse(Integer.toString(port))),
            Optional.empty(),
            Optional.of(AddressSet.of(AddressRange.parse(group.getHostAddress()))),
            Map.of());
    Rule leave =
        new Rule(
            "what peers tell each other",
            Optional.empty(),
            toThem,
            Rule.Grouping.ADDRESS,
            Direction.OUT);
    return new RuleSet(
        Stream.concat(Stream.of(leave), rules.stream()).toList(), manageUnmatched, controllersPort);
  }

  /** Whether it goes to a port like the controller's, and so may be the agent's own channel. */
  public boolean mayBeTheAgents(Flow flow) {
    return controllersPort.filter(rule -> rule.conditions().packetMatches(flow)).isPresent();
  }

  /** Which sockets share a name for certain. */
  public enum Coverage {
    /** Every socket of this local port to the same remote address. */
    LOCAL_PORT,
    /** Every socket to the same remote address and port. */
    REMOTE_PORT,
    /** This one socket. */
    SOCKET
  }

  public record Name(IntentPath intent, Rule.Grouping grouping, Coverage coverage) {}

  public List<Rule> rules() {
    return rules;
  }

  /** Those about this direction, in their order. */
  public List<Rule> rules(Direction direction) {
    return about(direction, rules);
  }

  /** The same, and at their end what holds where none of them matches. */
  public List<Rule> rulesToTheEnd(Direction direction) {
    return about(direction, all);
  }

  private static List<Rule> about(Direction direction, List<Rule> some) {
    return some.stream().filter(rule -> rule.direction() == direction).toList();
  }

  /**
   * Those by which a packet of a flow that is not known yet is held with the newcomers, or let
   * pass. Who may turn out to be left alone is not held: nobody would let it go.
   */
  public List<Rule> aboutNewcomers() {
    return Stream.concat(controllersPort.stream(), rulesToTheEnd(Direction.OUT).stream())
        .filter(rule -> rule.intent().isEmpty() || !rule.conditions().askMoreThanPackets())
        .toList();
  }

  /** Whether anything that goes this way can have a name. */
  public boolean canName(Direction direction) {
    return named.contains(direction);
  }

  /** How many of them ask for this. */
  public long asking(Trait trait) {
    return rules.stream().filter(r -> r.conditions().traits().containsKey(trait)).count();
  }

  /** Every intent that these rules can give, for the controller to know or refuse. */
  public Set<IntentPath> intents() {
    Set<IntentPath> intents = new TreeSet<>();
    rules.forEach(rule -> rule.intent().ifPresent(intents::add));
    return intents;
  }

  /** Whether the owner of this socket has to be known before it can be named. */
  public boolean needsOwner(SocketFacts facts) {
    for (Rule rule : rules) {
      if (rule.isAbout(facts.flow()) && rule.conditions().couldMatch(facts)) {
        return rule.conditions().askWhoOwnsIt();
      }
    }
    return false;
  }

  /** The name, or empty where the socket is to be left alone. */
  public Optional<Name> name(SocketFacts facts) {
    for (int i = 0; i < all.size(); i++) {
      Rule rule = all.get(i);
      if (rule.matches(facts)) {
        Coverage coverage = coverage(i, facts.flow());
        return rule.intent().map(intent -> new Name(intent, rule.grouping(), coverage));
      }
    }
    return Optional.empty();
  }

  /** What goes this way without a rule is a conversation without an intent, or left alone. */
  public Optional<IntentPath> unmatched(Direction direction) {
    return manageUnmatched && direction == Direction.OUT
        ? Optional.of(IntentPath.ROOT)
        : Optional.empty();
  }

  private Coverage coverage(int index, Flow flow) {
    Rule rule = all.get(index);
    if (rule.grouping() == Rule.Grouping.SOCKET || rule.conditions().askMoreThanPackets()) {
      return Coverage.SOCKET;
    }
    boolean askLocal = rule.conditions().localPort().isPresent();
    boolean askRemote = rule.conditions().remotePort().isPresent();
    if (askLocal == askRemote) {
      return Coverage.SOCKET;
    }
    // An earlier rule could take some of those sockets by what this key does not hold.
    boolean contested =
        all.subList(0, index).stream().anyMatch(earlier -> couldTake(earlier, flow, askLocal));
    return contested ? Coverage.SOCKET : askLocal ? Coverage.LOCAL_PORT : Coverage.REMOTE_PORT;
  }

  private static boolean couldTake(Rule earlier, Flow flow, boolean sameLocalPort) {
    Conditions conditions = earlier.conditions();
    return earlier.isAbout(flow)
        && conditions.addressesMatch(flow)
        && (sameLocalPort ? conditions.localPortMatches(flow) : conditions.remotePortMatches(flow));
  }
}
