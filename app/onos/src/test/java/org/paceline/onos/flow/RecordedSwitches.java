package org.paceline.onos.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.instructions.Instructions;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.Worker;

/** Switches as tables of rules, written in any order within a stage and looked at in between. */
public class RecordedSwitches extends FlowRuleServiceAdapter {
  private final Map<DeviceId, Map<FlowRule, FlowRule>> tables = new HashMap<>();
  private Predicate<FlowRuleOperation> refused = operation -> false;
  private final Random order;
  private final Set<DeviceId> gone = new HashSet<>();
  private Runnable afterEach = () -> {};
  private FlowEntry.FlowEntryState told = FlowEntry.FlowEntryState.ADDED;
  private final Map<FlowRule, FlowEntry> counted = new HashMap<>();
  private boolean isSilent;
  private int written;
  private int reads;

  public RecordedSwitches(long seed) {
    this.order = new Random(seed);
  }

  /**
   * What leads conversations over these switches.
   *
   * @param limit of each switch's rules
   */
  public ConversationRules led(
      IntSupplier limit, Worker worker, BiConsumer<ConversationId, Unserved> refused) {
    return led(Mesh.nextHops(), Treatment.ALIKE, limit, worker, refused);
  }

  public ConversationRules led(
      NextHops nextHops,
      Treatment treatment,
      IntSupplier limit,
      Worker worker,
      BiConsumer<ConversationId, Unserved> refused) {
    return new ConversationRules(
        own(), nextHops, treatment, () -> false, device -> limit.getAsInt(), worker, refused);
  }

  /** As an application has them. */
  public OwnRules own() {
    return OwnRules.of(this, new DefaultApplicationId(1, "test"), this::isThere);
  }

  /** What is read back of them, all connected. */
  InstalledRules installed(ConversationRules rules) {
    return new InstalledRules(
        rules,
        this,
        new DeviceServiceAdapter() {
          @Override
          public boolean isAvailable(DeviceId device) {
            return true;
          }
        });
  }

  /**
   * The switches that a packet of the sender crosses by rules of conversations; a circle is cut.
   */
  List<Integer> way(Conversation conversation) {
    return wayFrom(Mesh.HOST_PORT, 1, conversation);
  }

  /** The same of one that comes to a switch by this port. */
  List<Integer> wayFrom(int port, int first, Conversation conversation) {
    Set<TrafficSelector> matches =
        Set.of(
            ConversationMatch.of(conversation, conversation.matches().get(0)),
            ConversationMatch.pair(conversation).build());
    List<Integer> way = new ArrayList<>();
    Optional<Integer> at = Optional.of(first);
    PortNumber by = PortNumber.portNumber(port);
    while (at.isPresent() && way.size() <= 2 * Mesh.SWITCHES) {
      int here = at.get();
      way.add(here);
      at = output(Mesh.device(here), by, matches).flatMap(Mesh::switchBehind);
      by = PortNumber.portNumber(here);
    }
    return way;
  }

  void afterEachWrite(Runnable look) {
    afterEach = look;
  }

  void refuseAt(String device) {
    refuse(operation -> operation.rule().deviceId().equals(DeviceId.deviceId(device)));
  }

  /** New rules only: nobody refuses to take one away. */
  public void refuseNew(Predicate<FlowRule> rules) {
    refuse(
        operation ->
            operation.type() == FlowRuleOperation.Type.ADD && rules.test(operation.rule()));
  }

  private void refuse(Predicate<FlowRuleOperation> operations) {
    refused = operations;
  }

  public void acceptEverywhere() {
    refuse(operation -> false);
  }

  public List<FlowRule> rules(String device) {
    return new ArrayList<>(
        tables.getOrDefault(DeviceId.deviceId(device), new LinkedHashMap<>()).values());
  }

  public static boolean isOfFragments(FlowRule rule) {
    return rule.priority() == PairRules.FRAGMENT_PRIORITY;
  }

  public int count() {
    return tables.values().stream().mapToInt(Map::size).sum();
  }

  /** How many rules were written or removed so far. */
  int written() {
    return written;
  }

  /** How many times the rules of a switch were read so far. */
  int reads() {
    return reads;
  }

  /** What ONOS says of each rule that is there. */
  void allAre(FlowEntry.FlowEntryState state) {
    told = state;
  }

  /** From now on it hears nothing; of what it is told all is said to be done. */
  void isGone(String device) {
    gone.add(DeviceId.deviceId(device));
  }

  /** From now on all do what they are told, and nobody says so. */
  public void fallSilent() {
    isSilent = true;
  }

  void isBack(String device) {
    gone.remove(DeviceId.deviceId(device));
  }

  boolean isThere(DeviceId device) {
    return !gone.contains(device);
  }

  public void forget(FlowRule rule) {
    table(rule.deviceId()).remove(rule);
  }

  private Map<FlowRule, FlowRule> table(DeviceId device) {
    return tables.computeIfAbsent(device, d -> new LinkedHashMap<>());
  }

  @Override
  public void applyFlowRules(FlowRule... rules) {
    for (FlowRule rule : rules) {
      write(new FlowRuleOperation(rule, FlowRuleOperation.Type.ADD));
    }
  }

  @Override
  public void removeFlowRules(FlowRule... rules) {
    for (FlowRule rule : rules) {
      write(new FlowRuleOperation(rule, FlowRuleOperation.Type.REMOVE));
    }
  }

  @Override
  public void apply(FlowRuleOperations operations) {
    Set<FlowRule> failed = new HashSet<>();
    for (Set<FlowRuleOperation> stage : operations.stages()) {
      List<FlowRuleOperation> shuffled = new ArrayList<>(stage);
      shuffled.sort(Comparator.comparing(operation -> operation.rule().toString()));
      Collections.shuffle(shuffled, order);
      for (FlowRuleOperation operation : shuffled) {
        if (refused.test(operation)) {
          failed.add(operation.rule());
        } else {
          write(operation);
        }
      }
    }
    if (isSilent) {
      return;
    }
    if (failed.isEmpty()) {
      operations.callback().onSuccess(operations);
    } else {
      FlowRuleOperations.Builder answer = FlowRuleOperations.builder();
      failed.forEach(answer::add);
      operations.callback().onError(answer.build());
    }
  }

  private void write(FlowRuleOperation operation) {
    if (!isThere(operation.rule().deviceId())) {
      return;
    }
    written++;
    table(operation.rule().deviceId()).remove(operation.rule());
    if (operation.type() == FlowRuleOperation.Type.ADD) {
      table(operation.rule().deviceId()).put(operation.rule(), operation.rule());
    }
    afterEach.run();
  }

  @Override
  public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
    reads++;
    return entries(table(device));
  }

  private List<FlowEntry> entries(Map<FlowRule, FlowRule> table) {
    return table.values().stream()
        .map(
            rule ->
                Optional.ofNullable(counted.get(rule))
                    .orElseGet(() -> new DefaultFlowEntry(rule, told)))
        .collect(Collectors.toList());
  }

  /** ONOS has read of a rule that it is there for so many seconds, and what it has counted. */
  public void counts(FlowRule rule, long seconds, long packets, long bytes) {
    counted.put(rule, new DefaultFlowEntry(rule, told, seconds, TimeUnit.SECONDS, packets, bytes));
  }

  /** All are of the one application under test. */
  @Override
  public Iterable<FlowEntry> getFlowEntriesById(ApplicationId app) {
    return tables.values().stream()
        .flatMap(table -> entries(table).stream())
        .collect(Collectors.toList());
  }

  /** The rule that takes a packet at a switch: of those that match it the strongest. */
  Optional<FlowRule> taking(int number, Packet packet) {
    return rules(Mesh.device(number)).stream()
        .filter(rule -> packet.isMatchedBy(rule.selector()))
        .max(Comparator.comparingInt(FlowRule::priority));
  }

  /** What the strongest rule does of those with one of these matches that take what comes by it. */
  private Optional<PortNumber> output(String device, PortNumber by, Set<TrafficSelector> matches) {
    Set<TrafficSelector> here = new HashSet<>(matches);
    matches.forEach(match -> here.add(ConversationMatch.comingBy(by, match)));
    return rules(device).stream()
        .filter(rule -> here.contains(rule.selector()))
        .max(Comparator.comparingInt(FlowRule::priority))
        .flatMap(
            rule ->
                rule.treatment().allInstructions().stream()
                    .filter(Instructions.OutputInstruction.class::isInstance)
                    .map(does -> ((Instructions.OutputInstruction) does).port())
                    .findFirst());
  }
}
