package org.paceline.onos.tables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Worker;
import org.paceline.onos.flow.RuleEffect;
import org.paceline.onos.flow.StagedWriter;

/**
 * The rules of one switch that send packets through several of its tables, one change at a time:
 * what packets go to next stands before anything sends them there, and goes after that. Where the
 * switch refuses one, such as for want of tables or meters, all are taken away for a while, and it
 * forwards as it does without. Where it refuses again as soon as it is asked, that lasts twice as
 * long each time, until it connects anew. Belongs to the worker's thread.
 */
public final class SwitchTables {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(60);
  private static final int LONGEST_IN_PAUSES = 32;

  /** Where it was gone, {@link #returned} comes before that, unless it is back only just now. */
  private static final Duration BELIEVED = Duration.ofSeconds(15);

  private final DeviceId device;
  private final StagedWriter writer;
  private final Worker worker;
  private final Journal journal;
  private final String loss;
  private final Map<FlowRule, FlowRule> inForce = new HashMap<>();

  /** Of those in force, what the switch may not have heard of. */
  private final Set<FlowRule> lost = new HashSet<>();

  private Map<FlowRule, FlowRule> wanted = Map.of();
  private boolean changing;

  /** Whether the change under way began before the switch was gone. */
  private boolean isOutdated;

  private boolean isBarred;
  private int bars;

  /** After the last refusal; none where it has refused nothing since it was gone. */
  private Duration pause = Duration.ZERO;

  private Duration barredUntil = Duration.ZERO;
  private Runnable listener = () -> {};

  /**
   * @param loss for people, in a sentence: what there is not while a switch refuses these
   */
  public SwitchTables(
      DeviceId device, StagedWriter writer, Worker worker, Journal journal, String loss) {
    this.device = device;
    this.writer = writer;
    this.worker = worker;
    this.journal = journal;
    this.loss = loss;
  }

  /** What a controller before this one left on the switch. */
  public void adopt(FlowRule rule) {
    inForce.putIfAbsent(rule, rule);
  }

  /** Told when a change has ended. */
  public void tell(Runnable told) {
    listener = told;
  }

  /** Whether the switch has refused one, and has none for a while. */
  public boolean isBarred() {
    return isBarred;
  }

  /** Whether the switch has confirmed all that is wanted. */
  public boolean isInForce() {
    return !wanted.isEmpty() && !isBarred && !changing;
  }

  public boolean isIdle() {
    return inForce.isEmpty() && wanted.isEmpty() && !changing;
  }

  /** What it is to hold now: nothing for a while where it refused one of these. */
  public Set<FlowRule> wanted() {
    return isBarred ? Set.of() : Set.copyOf(wanted.keySet());
  }

  public void want(Collection<FlowRule> rules) {
    Map<FlowRule, FlowRule> all = new HashMap<>();
    rules.forEach(rule -> all.put(rule, rule));
    wanted = all;
    begin();
  }

  /** The switch was gone: what was refused in its name says nothing of what it takes now. */
  public void returned() {
    isOutdated = changing;
    isBarred = false;
    pause = Duration.ZERO;
    begin();
  }

  /** Writes what is wanted of these, in the order in which packets meet the tables. */
  public void writeAgain(Set<FlowRule> rules) {
    lost.addAll(rules);
    begin();
  }

  private void begin() {
    if (changing) {
      return;
    }
    Map<FlowRule, FlowRule> now = isBarred ? Map.of() : wanted;
    List<FlowRuleOperation> added = new ArrayList<>();
    List<FlowRuleOperation> removed = new ArrayList<>();
    now.values().stream()
        .filter(rule -> !stands(rule))
        .forEach(rule -> added.add(new FlowRuleOperation(rule, FlowRuleOperation.Type.ADD)));
    inForce.values().stream()
        .filter(rule -> !now.containsKey(rule))
        .forEach(rule -> removed.add(new FlowRuleOperation(rule, FlowRuleOperation.Type.REMOVE)));
    lost.clear();
    if (added.isEmpty() && removed.isEmpty()) {
      return;
    }
    List<List<FlowRuleOperation>> stages = new ArrayList<>();
    TreeMap<Integer, List<FlowRuleOperation>> adding = byTable(added);
    stages.addAll(adding.descendingMap().values());
    stages.addAll(byTable(removed).values());
    changing = true;
    // From here on the switch may hold them, whatever it answers.
    added.forEach(
        operation -> {
          inForce.remove(operation.rule());
          inForce.put(operation.rule(), operation.rule());
        });
    writer.write(stages).thenAccept(refused -> worker.execute(() -> ended(removed, refused)));
  }

  private boolean stands(FlowRule rule) {
    FlowRule same = inForce.get(rule);
    return same != null && !lost.contains(rule) && RuleEffect.isSame(same, rule);
  }

  private static TreeMap<Integer, List<FlowRuleOperation>> byTable(
      List<FlowRuleOperation> operations) {
    TreeMap<Integer, List<FlowRuleOperation>> tables = new TreeMap<>();
    operations.forEach(
        operation ->
            tables
                .computeIfAbsent(operation.rule().tableId(), t -> new ArrayList<>())
                .add(operation));
    return tables;
  }

  private void ended(List<FlowRuleOperation> removed, Set<FlowRule> refused) {
    changing = false;
    boolean wasGone = isOutdated;
    isOutdated = false;
    if (refused.isEmpty()) {
      removed.forEach(operation -> inForce.remove(operation.rule()));
    } else if (wasGone) {
      // Of the stages after the refused one it has heard nothing.
      lost.addAll(inForce.keySet());
    } else if (isBarred) {
      // It cannot even take them away, such as when it is not connected: ONOS goes on trying.
      inForce.clear();
    } else {
      bar();
    }
    begin();
    listener.run();
  }

  private void believe(String sentence, int bar) {
    worker.after(
        BELIEVED,
        () -> {
          if (isBarred && bar == bars) {
            if (writer.isThere(device)) {
              journal.warn(sentence);
            } else {
              believe(sentence, bar);
            }
          }
        });
  }

  /**
   * What is refused once more when it is tried again is no news, and nothing is what is refused in
   * the name of a switch that is gone.
   */
  private void bar() {
    isBarred = true;
    int bar = ++bars;
    Duration now = worker.now();
    boolean isNews = pause.isZero() || barredUntil.plus(FIRST_PAUSE).compareTo(now) < 0;
    Duration longest = FIRST_PAUSE.multipliedBy(LONGEST_IN_PAUSES);
    Duration twice = pause.multipliedBy(2);
    pause = isNews ? FIRST_PAUSE : twice.compareTo(longest) < 0 ? twice : longest;
    barredUntil = now.plus(pause);
    if (isNews) {
      String sentence =
          "The switch ("
              + device
              + ") refused a rule: "
              + loss
              + " It is asked again after "
              + pause.toSeconds()
              + " s, then after twice as long each time that it refuses, and when it connects"
              + " anew.";
      believe(sentence, bar);
    }
    worker.after(
        pause,
        () -> {
          if (bar == bars) {
            isBarred = false;
            begin();
            listener.run();
          }
        });
  }
}
