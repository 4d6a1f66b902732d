package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.paceline.agent.config.AgentConfig;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.Shaper;
import org.paceline.agent.enforce.edt.EdtShaper;
import org.paceline.agent.enforce.htb.HtbShaper;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.enforce.socket.SocketShaper;
import org.paceline.agent.flow.FirstPacket;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.netlink.Netlink;
import org.paceline.agent.posix.Command;

/**
 * Paces with one class a conversation, whatever number of sockets falls in it. What is wanted is
 * kept here, what is installed is always read back from the kernel, and the difference is what gets
 * sent; so whatever somebody else breaks is put right at the next reading.
 */
public final class Pacer implements Enforcer {
  private final Map<String, Map<Integer, ClassRate>> wanted = new LinkedHashMap<>();
  private final Map<String, Map<Integer, ClassStatistics>> installed = new HashMap<>();
  private final Map<String, Long> pools = new HashMap<>();
  private final Map<String, RestingClasses> resting = new HashMap<>();
  private final Guardian guardian;
  private final Shaper shaper;
  private final SegmentLimits limits;

  private Pacer(HostSetup setup, AgentConfig config, Guardian guardian, Shaper shaper)
      throws IOException {
    this.guardian = guardian;
    this.shaper = shaper;
    this.limits = new SegmentLimits(setup.choice().kind(), config.interfaces().packetsAtOnce());
    List<String> devices = new ArrayList<>(setup.deviceNames());
    long newcomersRate = config.rates().newcomersRate().bitsPerSecond();
    if (setup.choice().limitsIncoming()) {
      devices.add(IngressShaper.DEVICE);
    }
    for (String device : devices) {
      Map<Integer, ClassRate> classes = new HashMap<>();
      classes.put(ClassIds.NEWCOMERS, ClassRate.of(expressible(device, newcomersRate)));
      wanted.put(device, classes);
      setup.inherited().ifPresent(left -> goOn(device, left));
      limits.follow(device, classes);
    }
    shaper.begin(wanted.keySet(), config.rules(), setup.inherited());
    for (String device : wanted.keySet()) {
      // What another agent's controller let them borrow is not this one's word.
      wantPool(device, 0);
      List<String> complaints = reconcile(device);
      if (!complaints.isEmpty() && isThere(device)) {
        throw new IOException(String.join("; ", complaints));
      }
    }
  }

  /**
   * Whether there is such an interface now: one that was taken away is paced when it is back, and
   * keeps no other from being paced meanwhile.
   */
  private static boolean isThere(String device) {
    return Netlink.index(device).isPresent();
  }

  /** Keeps every class as it is until its conversation is seen again. */
  private void goOn(String device, InheritedState inherited) {
    Map<Integer, ClassStatistics> found = inherited.classes().getOrDefault(device, Map.of());
    installed.put(device, new HashMap<>(found));
    found.forEach(
        (minor, c) -> classes(device).putIfAbsent(minor, ClassRate.of(c.rateBitsPerSecond())));
    classes(device).remove(ClassIds.POOL);
  }

  /** Installs the root of pacing on this host's interfaces. */
  public static Pacer install(
      HostSetup setup, AgentConfig config, Consumer<FirstPacket> firstPackets) throws IOException {
    Guardian guardian =
        Guardian.watch(setup.interfaces(), config.timing().restartGrace(), setup.state());
    Shaper shaper;
    try {
      shaper = shaper(setup, guardian, firstPackets);
    } catch (IOException e) {
      guardian.close();
      throw e;
    }
    try {
      return new Pacer(setup, config, guardian, shaper);
    } catch (IOException e) {
      shaper.close();
      guardian.close();
      throw e;
    }
  }

  private static Shaper shaper(
      HostSetup setup, Guardian guardian, Consumer<FirstPacket> firstPackets) throws IOException {
    Shaper out =
        switch (setup.choice().kind()) {
          case EDT -> new EdtShaper(firstPackets);
          case HTB -> new HtbShaper(guardian, firstPackets);
          case SOCKET -> new SocketShaper(setup.state().sockets());
          case NONE -> throw new IllegalArgumentException("there is nothing to install");
        };
    if (!setup.choice().limitsIncoming()) {
      // Of an agent before this one, whose rules were others.
      Command.run("sh", "-c", IngressShaper.removal());
      return new TwoWayShaper(out, Optional.empty());
    }
    try {
      return new TwoWayShaper(out, Optional.of(new IngressShaper(setup.deviceNames())));
    } catch (IOException e) {
      out.close();
      throw e;
    }
  }

  @Override
  public void want(String device, int minor, ClassRate rate) {
    classes(device).put(minor, expressible(device, rate));
    resting(device).wake(minor, Optional.ofNullable(installed(device).get(minor)));
  }

  private ClassRate expressible(String device, ClassRate rate) {
    long own = shaper.expressible(device, rate.bitsPerSecond());
    return rate.borrows() && shaper.hasPool(device)
        ? ClassRate.upTo(
            own,
            shaper.expressible(device, rate.ceilingBitsPerSecond()),
            shaper.ranks(device) ? rate.rank() : 0)
        : ClassRate.of(own);
  }

  @Override
  public void wantPool(String device, long bitsPerSecond) {
    pools.put(device, bitsPerSecond);
    if (shaper.hasPool(device)) {
      long rate = bitsPerSecond == 0 ? 0 : shaper.expressible(device, bitsPerSecond);
      classes(device).put(ClassIds.POOL, ClassRate.of(rate));
    }
  }

  @Override
  public boolean hasPool(String device) {
    return shaper.hasPool(device);
  }

  @Override
  public long installedPool(String device) {
    return Optional.ofNullable(installed(device).get(ClassIds.POOL))
        .map(ClassStatistics::rateBitsPerSecond)
        .orElse(0L);
  }

  @Override
  public void unwant(String device, int minor) {
    boolean stays =
        shaper.restsClasses(device)
            && classes(device).containsKey(minor)
            && resting(device).rest(minor, installed(device), System.nanoTime());
    if (stays) {
      // No ceiling outlasts the pool.
      classes(device).computeIfPresent(minor, (any, rate) -> ClassRate.of(rate.bitsPerSecond()));
    } else {
      classes(device).remove(minor);
    }
  }

  private RestingClasses resting(String device) {
    return resting.computeIfAbsent(device, any -> new RestingClasses());
  }

  private Map<Integer, ClassRate> classes(String device) {
    Map<Integer, ClassRate> classes = wanted.get(device);
    if (classes == null) {
      throw new IllegalArgumentException("(" + device + ") is not managed.");
    }
    return classes;
  }

  @Override
  public long expressible(String device, long bitsPerSecond) {
    return shaper.expressible(device, bitsPerSecond);
  }

  @Override
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    shaper.classify(put, taken, forgotten);
  }

  @Override
  public List<String> reconcile(String device) throws IOException {
    classes(device).keySet().removeAll(resting(device).end(installed(device), System.nanoTime()));
    ClassChanges changes = ClassChanges.between(rates(installed(device)), classes(device));
    List<String> complaints = shaper.apply(device, changes);
    installed.put(device, resting(device).own(shaper.all(device)));
    try {
      if (!installed(device).containsKey(ClassIds.NEWCOMERS) && !changes.isEmpty()) {
        // Somebody took the root away, or the interface, and every class with it.
        limits.forget(device);
        shaper.root(device);
        wantPool(device, pools.getOrDefault(device, 0L));
      }
      limits.follow(device, classes(device));
    } catch (IOException e) {
      complaints = Stream.concat(complaints.stream(), Stream.of(e.getMessage())).toList();
    }
    return complaints;
  }

  /** All are read where that is cheaper. */
  @Override
  public List<String> reconcile(String device, Set<Integer> minors) throws IOException {
    if (minors.size() >= installed(device).size() / 2) {
      return reconcile(device);
    }
    Map<Integer, ClassStatistics> known = installed.computeIfAbsent(device, any -> new HashMap<>());
    Map<Integer, ClassRate> rates = new HashMap<>();
    Map<Integer, ClassRate> wants = new HashMap<>();
    for (int minor : minors) {
      Optional.ofNullable(known.get(minor)).ifPresent(c -> rates.put(minor, c.rate()));
      Optional.ofNullable(classes(device).get(minor)).ifPresent(rate -> wants.put(minor, rate));
    }
    List<String> complaints = shaper.apply(device, ClassChanges.between(rates, wants));
    known.keySet().removeAll(minors);
    known.putAll(resting(device).own(shaper.some(device, minors)));
    return complaints;
  }

  private static Map<Integer, ClassRate> rates(Map<Integer, ClassStatistics> classes) {
    Map<Integer, ClassRate> rates = new HashMap<>();
    classes.forEach((minor, c) -> rates.put(minor, c.rate()));
    return rates;
  }

  @Override
  public Map<Integer, ClassStatistics> installed(String device) {
    return installed.getOrDefault(device, Map.of());
  }

  @Override
  public Set<String> devices() {
    return Collections.unmodifiableSet(wanted.keySet());
  }

  @Override
  public boolean hearsFirstPackets() throws IOException {
    return shaper.hearsFirstPackets();
  }

  @Override
  public List<Long> helpers() {
    return shaper.helpers();
  }

  @Override
  public void uninstall() throws IOException {
    guardian.keepLock();
    close();
  }

  @Override
  public void close() throws IOException {
    shaper.close();
    guardian.close();
  }
}
