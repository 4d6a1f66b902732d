package org.paceline.agent.pacing;

import java.io.IOException;
import java.time.Duration;
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
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.EnforcerChoice;
import org.paceline.agent.enforce.EnforcerKind;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.ManagedInterface;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.flow.Transport;
import org.paceline.agent.naming.RuleSet;

/**
 * The rates of conversations and the enforcer that holds them. Until one is installed, or where
 * there is none, it only remembers. Owned by one thread.
 */
public final class Pacing implements AutoCloseable {
  /** Beyond any interface: such a rate is a mistake, and tc would misread it. */
  public static final long GREATEST_RATE = 10_000_000_000_000L;

  /** Beyond what any interface here sends: its class only counts. */
  private static final long UNLIMITED = 100_000_000_000L;

  // What is done for each of thousands of conversations a second has no lambda that captures: the
  // agent's small compiler makes each by a call into the virtual machine.
  private final AgentConfig config;
  private final HostSetup setup;
  private final Consumer<FirstPacket> firstPackets;
  private final Takeover takeover;
  private final UnplannedAddresses unplanned = new UnplannedAddresses();
  // The interfaces that have a pool, and the classes that it concerns, until they are reconciled.
  private final Set<String> pooled = new HashSet<>();
  private final Map<String, Set<Integer>> prepared = new LinkedHashMap<>();
  private Optional<Enforcer> pacer = Optional.empty();
  private long defaultRate;
  private int step;

  public Pacing(AgentConfig config, HostSetup setup, Consumer<FirstPacket> firstPackets) {
    this.config = config;
    this.setup = setup;
    this.takeover = new Takeover(setup.inherited());
    this.firstPackets = firstPackets;
    this.defaultRate = config.rates().defaultRate().bitsPerSecond();
  }

  /** What holds conversations of an interface that go this way. */
  public static String device(Direction way, String managed) {
    return way == Direction.IN ? IngressShaper.DEVICE : managed;
  }

  public boolean isInstalled() {
    return pacer.isPresent();
  }

  /** Goes on with what an agent that was killed has left; false where there is nothing. */
  public boolean takeOver(Conversations conversations) throws IOException {
    if (takeover.left().isPresent()) {
      conversations.reserve(takeover.left().get().minors());
      install();
    }
    return takeover.left().isPresent();
  }

  /**
   * The class that packets of this kind are in already, once: it is the conversation's from now.
   */
  public Optional<InheritedState.Place> claim(String device, ClassKey key) {
    return takeover.claim(device, key);
  }

  /** Who has not been seen again by now is gone: its class goes too. */
  public void settle(Conversations conversations) throws IOException {
    if (pacer.isPresent()) {
      takeover.settle(pacer.get(), conversations);
    }
  }

  /** Touches the host for the first time, unless nothing can be done on it. */
  public void install() throws IOException {
    if (choice().kind() != EnforcerKind.NONE) {
      HostSetup now = new HostSetup(setup.interfaces(), choice(), takeover.left(), setup.state());
      pacer = Optional.of(Pacer.install(now, config, firstPackets));
    }
  }

  /** What is done here, for a person. */
  public String text() {
    return (isInstalled() ? "pacing on " + deviceNames() : "pacing nothing")
        + ", "
        + choice().text();
  }

  public EnforcerChoice choice() {
    return setup.choice();
  }

  public List<ManagedInterface> interfaces() {
    return setup.interfaces();
  }

  /** What the controller has agreed to holds for the next agent too, should this one be killed. */
  public void agreed(Duration lease) throws IOException {
    setup.state().agreed(lease);
  }

  public List<String> deviceNames() {
    return setup.deviceNames();
  }

  /** For conversations without a grant, from now on. */
  public void defaultTo(long bitsPerSecond) {
    defaultRate = Math.min(bitsPerSecond, GREATEST_RATE);
  }

  /** By what the kernel sorts what goes through this socket. */
  public ClassKey key(Flow flow, RuleSet.Coverage coverage) {
    boolean single = choice().kind() == EnforcerKind.SOCKET && flow.direction() == Direction.OUT;
    return ClassKey.of(flow, single ? RuleSet.Coverage.SOCKET : coverage);
  }

  /** Datagrams leave unpaced where sockets are told their rates; their first switch limits them. */
  private boolean isOutOfReach(Conversation conversation) {
    return choice().kind() == EnforcerKind.SOCKET
        && !conversation.incoming()
        && conversation.first().transport() == Transport.UDP;
  }

  /** The conversation is to have its rate at the next {@link #reconcile}. */
  public void prepare(Conversation conversation) {
    if (isUnlimited(conversation) || isOutOfReach(conversation)) {
      forget(conversation);
      return;
    }
    Optional<Enforcer> there = on(conversation.device());
    if (there.isPresent()) {
      there.get().want(conversation.device(), conversation.minor(), wanted(conversation));
    }
  }

  public void forget(Conversation conversation) {
    on(conversation.device()).ifPresent(p -> p.unwant(conversation.device(), conversation.minor()));
  }

  private Optional<Enforcer> on(String device) {
    return pacer.isPresent() && pacer.get().devices().contains(device) ? pacer : Optional.empty();
  }

  /** Whether somebody holds it at the other end, this host cannot know. */
  private static boolean isUnlimited(Conversation conversation) {
    return conversation.incoming() && conversation.grantedBitsPerSecond() == 0;
  }

  /** The controller wants nothing of an incoming conversation any more. */
  public void let(Conversation conversation) throws IOException {
    conversation.grant(0);
    prepare(conversation);
    reconcile(List.of(conversation));
  }

  /**
   * From the next {@link #reconcile} on the conversation has this rate; 0 takes it back.
   *
   * @param ceiling the most that it may send while its interface's pool has room; 0: no more than
   *     its rate
   * @param rank who borrows first; 0 before all others
   */
  public void grant(Conversation conversation, long bitsPerSecond, long ceiling, int rank) {
    conversation.grant(bitsPerSecond, ceiling, rank);
    if (bitsPerSecond > 0) {
      unplanned.remove(conversation.key().remote());
    }
    prepare(conversation);
  }

  /**
   * From the next {@link #reconcile} on conversations of this interface may borrow as long as all
   * together send less than this; 0: nobody borrows.
   */
  public void pool(String device, long bitsPerSecond, Conversations conversations) {
    Optional<Enforcer> there = on(device);
    if (there.isEmpty()) {
      return;
    }
    there.get().wantPool(device, bitsPerSecond);
    Set<Integer> minors = prepared(device);
    minors.add(ClassIds.POOL);
    if (bitsPerSecond > 0 ? pooled.add(device) : pooled.remove(device)) {
      // A ceiling holds as long as there is a pool.
      for (Conversation one : conversations.all()) {
        if (one.device().equals(device) && one.ceilingBitsPerSecond() > 0) {
          prepare(one);
          minors.add(one.minor());
        }
      }
    }
  }

  /** Whether conversations of every interface may borrow from each other, if they are let. */
  public boolean hasPools() {
    return choice().kind().pools()
        && (pacer.isEmpty() || deviceNames().stream().allMatch(pacer.get()::hasPool));
  }

  private Set<Integer> prepared(String device) {
    return prepared.computeIfAbsent(device, any -> new HashSet<>());
  }

  /** As last read from the kernel; 0 where there is none. */
  public long installedPool(String device) {
    Optional<Enforcer> there = on(device);
    return there.isPresent() ? there.get().installedPool(device) : 0;
  }

  /** Whoever let them borrow is gone: each has its own rate, and nothing beyond it. */
  public void endPools(Conversations conversations) throws IOException {
    forgetPools(conversations);
    reconcile(List.of());
  }

  private void forgetPools(Conversations conversations) {
    for (String device : List.copyOf(pooled)) {
      pool(device, 0, conversations);
    }
    pooled.clear();
    conversations.all().forEach(Conversation::borrowsNoMore);
  }

  /** The controller does not know where it goes, so nobody plans it, and no rule asks to. */
  public void letPass(Conversation conversation) throws IOException {
    unplanned.add(conversation.key().remote());
    prepare(conversation);
    reconcile(List.of(conversation));
  }

  private boolean passes(Conversation conversation) {
    return conversation.key().intent().isRoot()
        && conversation.grantedBitsPerSecond() == 0
        && unplanned.contains(conversation.key().remote());
  }

  private ClassRate wanted(Conversation conversation) {
    long rate = rateFor(conversation);
    boolean borrows = conversation.grantedBitsPerSecond() > 0 && !conversation.incoming();
    return borrows && pooled.contains(conversation.device())
        ? ClassRate.upTo(rate, conversation.ceilingBitsPerSecond(), conversation.borrowRank())
        : ClassRate.of(rate);
  }

  private long rateFor(Conversation conversation) {
    if (isUnlimited(conversation)) {
      return 0;
    }
    if (passes(conversation)) {
      return UNLIMITED;
    }
    long granted = conversation.grantedBitsPerSecond();
    return Lease.relaxed(
        granted > 0 ? granted : defaultRate, step, config.rates().safeRate().bitsPerSecond());
  }

  /** How far all rates are relaxed, by the steps of a lease. */
  public int step() {
    return step;
  }

  /** Relaxes to this step, or takes the relaxation back. */
  public void relax(int to, Conversations conversations) throws IOException {
    if (to == step) {
      return;
    }
    step = to;
    if (step > 0) {
      forgetPools(conversations);
    }
    if (step == Lease.OVER && pacer.isPresent()) {
      pacer.get().uninstall();
      pacer = Optional.empty();
      prepared.clear();
    } else {
      conversations.all().forEach(this::prepare);
      reconcile(conversations.all());
    }
  }

  /** As last read from the kernel; 0 where nothing is installed. */
  public long installedRate(Conversation conversation) {
    return statistics(conversation).map(ClassStatistics::rateBitsPerSecond).orElse(0L);
  }

  private Optional<ClassStatistics> statistics(Conversation conversation) {
    return pacer.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(
            pacer.get().installed(conversation.device()).get(conversation.minor()));
  }

  /**
   * Installs what was prepared for these conversations and for pools; what the kernel complained
   * of.
   */
  public List<String> reconcile(Collection<Conversation> changed) throws IOException {
    Map<String, Set<Integer>> minors = new LinkedHashMap<>(prepared);
    prepared.clear();
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

  /** Whether what leaves is counted by conversations, packet by packet. */
  public boolean countsPackets() {
    return pacer.isPresent() && choice().kind() != EnforcerKind.SOCKET;
  }

  /** Puts right what somebody else changed, and reads every counter. */
  public Map<Conversation, ClassStatistics> read(Conversations conversations) throws IOException {
    Map<Conversation, ClassStatistics> read = new HashMap<>();
    if (pacer.isPresent()) {
      for (String device : pacer.get().devices()) {
        pacer.get().reconcile(device);
      }
      long now = System.nanoTime();
      for (Conversation conversation : conversations.all()) {
        Optional<ClassStatistics> statistics = statistics(conversation);
        if (statistics.isPresent()) {
          conversation.sent(statistics.get().sentBytes(), now);
          read.put(conversation, statistics.get());
        }
      }
    }
    return read;
  }

  /** Lets packets find their classes, or not any more. */
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    if (pacer.isPresent()) {
      pacer.get().classify(put, taken, forgotten);
    }
  }

  /** Whether the kernel was read to hold what is wanted of it now. */
  public boolean isHeld(Conversation conversation) {
    long rate = rateFor(conversation);
    String device = conversation.device();
    boolean none = rate == 0 || pacer.isEmpty();
    return installedRate(conversation) == (none ? rate : pacer.get().expressible(device, rate));
  }

  /** Why nothing here can hold it; empty where something can. */
  public Optional<String> obstacle(Conversation conversation) {
    if (pacer.isEmpty()) {
      return Optional.of("This host paces nothing: " + choice().text() + ".");
    }
    if (on(conversation.device()).isEmpty()) {
      return Optional.of("This host does not limit what it receives: " + choice().text() + ".");
    }
    return isOutOfReach(conversation)
        ? Optional.of("UDP cannot be paced by its sockets: " + choice().text() + ".")
        : Optional.empty();
  }

  /** Whether new flows are announced by their first packets, or would be if this was installed. */
  public boolean hearsFirstPackets() {
    try {
      return pacer.isEmpty() || pacer.get().hearsFirstPackets();
    } catch (IOException e) {
      return false;
    }
  }

  /** The processes that work for the agent. */
  public List<Long> helpers() {
    return pacer.map(Enforcer::helpers).orElse(List.of());
  }

  @Override
  public void close() throws IOException {
    if (pacer.isPresent()) {
      pacer.get().close();
    }
  }
}
