package org.paceline.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.pace.ClassKey;
import org.paceline.agent.pace.ClassStatistics;
import org.paceline.agent.pace.Enforcer;
import org.paceline.agent.pace.EnforcerChoice;
import org.paceline.agent.pace.EnforcerKind;
import org.paceline.agent.pace.Inherited;
import org.paceline.agent.pace.ManagedInterface;
import org.paceline.agent.pace.Pacer;
import org.paceline.agent.pace.StateFile;
import org.paceline.agent.sense.Direction;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.Sighting;
import org.paceline.agent.sense.Transport;
import org.paceline.protocol.InstalledRate;
import org.paceline.protocol.Rate;
import org.paceline.protocol.Rates;
import org.paceline.protocol.RatesInstalled;

/**
 * The rates of conversations and the enforcer that holds them. Until one is installed, or where
 * there is none, it only remembers. Owned by one thread.
 */
final class Pacing implements AutoCloseable {
  /** Beyond any interface: such a rate is a mistake, and tc would misread it. */
  private static final long GREATEST_RATE = 10_000_000_000_000L;

  private final AgentConfig config;
  private final List<ManagedInterface> interfaces;
  private final StateFile state;
  private final Consumer<Sighting> firstPackets;
  private final EnforcerChoice choice;
  private Optional<Enforcer> pacer = Optional.empty();
  private Optional<Inherited> inherited;
  private final Set<Integer> claimed = new HashSet<>();
  private long defaultRate;
  private long planVersion;
  private int step;

  Pacing(
      AgentConfig config,
      List<ManagedInterface> interfaces,
      EnforcerChoice choice,
      Optional<Inherited> inherited,
      StateFile state,
      Consumer<Sighting> firstPackets) {
    this.config = config;
    this.interfaces = interfaces;
    this.choice = choice;
    this.inherited = inherited;
    this.state = state;
    this.firstPackets = firstPackets;
    this.defaultRate = config.defaultRate().bitsPerSecond();
  }

  boolean isInstalled() {
    return pacer.isPresent();
  }

  /** Goes on with what an agent that was killed has left; false where there is nothing. */
  boolean takeOver(Conversations conversations) throws IOException {
    if (inherited.isPresent()) {
      conversations.reserve(inherited.get().minors());
      install();
    }
    return inherited.isPresent();
  }

  /**
   * The class that packets of this kind are in already, once: it is the conversation's from now.
   */
  Optional<Inherited.Place> claim(String device, ClassKey key) {
    return inherited.flatMap(i -> i.place(device, key)).filter(place -> claimed.add(place.minor()));
  }

  /** Who has not been seen again by now is gone: its class goes too. */
  void settle(Conversations conversations) throws IOException {
    if (inherited.isEmpty() || pacer.isEmpty()) {
      return;
    }
    Inherited all = inherited.get();
    inherited = Optional.empty();
    Set<Integer> gone = new HashSet<>(all.minors());
    gone.removeAll(claimed);
    all.classes().keySet().forEach(device -> gone.forEach(m -> pacer.get().unwant(device, m)));
    Set<ClassKey> used = new HashSet<>();
    conversations.all().forEach(c -> used.addAll(c.classKeys()));
    Map<ClassKey, Integer> stale = all.stale(used);
    // To take what somebody has taken since fails, to put what is there does not.
    classify(stale, List.of(), List.of());
    classify(Map.of(), stale.keySet(), List.of());
    conversations.free(gone);
    for (String device : pacer.get().devices()) {
      pacer.get().reconcile(device);
    }
  }

  /** Touches the host for the first time, unless nothing can be done on it. */
  void install() throws IOException {
    if (choice.kind() != EnforcerKind.NONE) {
      pacer =
          Optional.of(
              Pacer.install(
                  choice,
                  interfaces,
                  config.rules(),
                  config.newcomersRate().bitsPerSecond(),
                  config.packetsAtOnce(),
                  inherited,
                  config.restartGrace(),
                  state,
                  firstPackets));
    }
  }

  EnforcerChoice choice() {
    return choice;
  }

  List<String> deviceNames() {
    return interfaces.stream().map(ManagedInterface::name).toList();
  }

  /** For conversations without a grant, from now on. */
  void defaultTo(long bitsPerSecond) {
    defaultRate = Math.min(bitsPerSecond, GREATEST_RATE);
  }

  /** The newest plan that is installed. */
  long planVersion() {
    return planVersion;
  }

  /** By what the kernel sorts what goes through this socket. */
  ClassKey key(Flow flow, RuleSet.Coverage coverage) {
    boolean single = choice.kind() == EnforcerKind.SOCKET && flow.direction() == Direction.OUT;
    return ClassKey.of(flow, single ? RuleSet.Coverage.SOCKET : coverage);
  }

  /** Datagrams leave unpaced where sockets are told their rates; their first switch limits them. */
  private boolean isOutOfReach(Conversation conversation) {
    return choice.kind() == EnforcerKind.SOCKET
        && !conversation.incoming()
        && conversation.first().transport() == Transport.UDP;
  }

  /** The conversation is to have its rate at the next {@link #reconcile}. */
  void prepare(Conversation conversation) {
    if (isUnlimited(conversation) || isOutOfReach(conversation)) {
      forget(conversation);
      return;
    }
    on(conversation.device())
        .ifPresent(p -> p.want(conversation.device(), conversation.minor(), rateFor(conversation)));
  }

  void forget(Conversation conversation) {
    on(conversation.device()).ifPresent(p -> p.unwant(conversation.device(), conversation.minor()));
  }

  private Optional<Enforcer> on(String device) {
    return pacer.filter(p -> p.devices().contains(device));
  }

  /** Whether somebody holds it at the other end, this host cannot know. */
  private static boolean isUnlimited(Conversation conversation) {
    return conversation.incoming() && conversation.grantedBitsPerSecond() == 0;
  }

  /** The controller wants nothing of an incoming conversation any more. */
  void let(Conversation conversation) throws IOException {
    conversation.grant(0);
    prepare(conversation);
    reconcile(List.of(conversation));
  }

  private long rateFor(Conversation conversation) {
    if (isUnlimited(conversation)) {
      return 0;
    }
    long granted = conversation.grantedBitsPerSecond();
    return Lease.relaxed(
        granted > 0 ? granted : defaultRate, step, config.safeRate().bitsPerSecond());
  }

  /** How far all rates are relaxed, by the steps of a lease. */
  int step() {
    return step;
  }

  /** Relaxes to this step, or takes the relaxation back. */
  void relax(int to, Conversations conversations) throws IOException {
    if (to == step) {
      return;
    }
    step = to;
    if (step == Lease.OVER && pacer.isPresent()) {
      pacer.get().uninstall();
      pacer = Optional.empty();
    } else {
      conversations.all().forEach(this::prepare);
      reconcile(conversations.all());
    }
  }

  /** As last read from the kernel; 0 where nothing is installed. */
  long installedRate(Conversation conversation) {
    return statistics(conversation).map(ClassStatistics::rateBitsPerSecond).orElse(0L);
  }

  private Optional<ClassStatistics> statistics(Conversation conversation) {
    return pacer.flatMap(
        p -> Optional.ofNullable(p.installed(conversation.device()).get(conversation.minor())));
  }

  /** Installs what was prepared where these conversations leave; what tc complained of. */
  List<String> reconcile(Collection<Conversation> changed) throws IOException {
    Map<String, Set<Integer>> minors = new LinkedHashMap<>();
    changed.forEach(
        c -> minors.computeIfAbsent(c.device(), device -> new HashSet<>()).add(c.minor()));
    List<String> complaints = new ArrayList<>();
    for (Map.Entry<String, Set<Integer>> device : minors.entrySet()) {
      Optional<Enforcer> there = on(device.getKey());
      if (there.isPresent()) {
        complaints.addAll(there.get().reconcile(device.getKey(), device.getValue()));
      }
    }
    return complaints;
  }

  /** Puts right what somebody else changed, and reads every counter. */
  Map<Conversation, ClassStatistics> read(Conversations conversations) throws IOException {
    Map<Conversation, ClassStatistics> read = new HashMap<>();
    if (pacer.isPresent()) {
      for (String device : pacer.get().devices()) {
        pacer.get().reconcile(device);
      }
      long now = System.nanoTime();
      for (Conversation conversation : conversations.all()) {
        statistics(conversation)
            .ifPresent(
                s -> {
                  conversation.sent(s.sentBytes(), now);
                  read.put(conversation, s);
                });
      }
    }
    return read;
  }

  /** Lets packets find their classes, or not any more. */
  void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    if (pacer.isPresent() && choice.limitsIncoming()) {
      pacer.get().classify(put, taken, forgotten);
    } else if (pacer.isPresent()) {
      Map<ClassKey, Integer> sent = new HashMap<>(put);
      sent.keySet().removeIf(key -> key.direction() == Direction.IN);
      pacer
          .get()
          .classify(
              sent,
              taken.stream().filter(key -> key.direction() == Direction.OUT).toList(),
              forgotten.stream().filter(flow -> flow.direction() == Direction.OUT).toList());
    }
  }

  /** What the controller grants; the answer is what the kernel was read to hold. */
  RatesInstalled apply(Rates rates, Conversations conversations) throws IOException {
    List<Conversation> changed = new ArrayList<>();
    for (Rate rate : rates.getRatesList()) {
      if (!isPossible(rate)) {
        continue;
      }
      conversations
          .byId(rate.getConversationId())
          .ifPresent(
              conversation -> {
                conversation.grant(rate.getRateBitsPerSecond());
                prepare(conversation);
                changed.add(conversation);
              });
    }
    List<String> complaints = reconcile(changed);
    planVersion = Math.max(planVersion, rates.getPlanVersion());
    RatesInstalled.Builder installed =
        RatesInstalled.newBuilder().setPlanVersion(rates.getPlanVersion());
    for (Rate rate : rates.getRatesList()) {
      installed.addRates(
          acknowledgement(
              rate, conversations.byId(rate.getConversationId()), String.join("; ", complaints)));
    }
    return installed.build();
  }

  /** The wire's numbers have no sign: one beyond Java's comes as a negative one. */
  private static boolean isPossible(Rate rate) {
    return rate.getRateBitsPerSecond() >= 0 && rate.getRateBitsPerSecond() <= GREATEST_RATE;
  }

  private InstalledRate acknowledgement(
      Rate asked, Optional<Conversation> conversation, String complaints) {
    InstalledRate.Builder one =
        InstalledRate.newBuilder().setConversationId(asked.getConversationId());
    if (conversation.isEmpty()) {
      return one.setError("There is no such conversation. Maybe it closed meanwhile.").build();
    }
    long now = installedRate(conversation.get());
    one.setRateBitsPerSecond(now);
    if (!isPossible(asked)) {
      one.setError(
          "The rate ("
              + Long.toUnsignedString(asked.getRateBitsPerSecond())
              + " bit/s) is beyond any interface's; the one before stays.");
    } else if (pacer.isEmpty()) {
      one.setError("This host paces nothing: " + choice.text() + ".");
    } else if (on(conversation.get().device()).isEmpty()) {
      one.setError("This host does not limit what it receives: " + choice.text() + ".");
    } else if (isOutOfReach(conversation.get())) {
      one.setError("UDP cannot be paced by its sockets: " + choice.text() + ".");
    } else if (now != expressible(rateFor(conversation.get()))) {
      one.setError("The kernel holds another rate. " + complaints);
    }
    return one.build();
  }

  private long expressible(long rate) {
    return rate == 0 ? 0 : pacer.map(p -> p.expressible(rate)).orElse(rate);
  }

  /** Whether new flows are announced by their first packets, or would be if this was installed. */
  boolean hearsFirstPackets() {
    try {
      return pacer.isEmpty() || pacer.get().hearsFirstPackets();
    } catch (IOException e) {
      return false;
    }
  }

  /** The processes that work for the agent. */
  List<Long> helpers() {
    return pacer.map(Enforcer::helpers).orElse(List.of());
  }

  @Override
  public void close() throws IOException {
    if (pacer.isPresent()) {
      pacer.get().close();
    }
  }
}
