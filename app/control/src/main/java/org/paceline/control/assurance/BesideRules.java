package org.paceline.control.assurance;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Proof;
import org.paceline.control.port.Journal;
import org.paceline.intents.unit.DataRate;

/**
 * Who sends what no rule names: under the root's intent where the host's agent manages it, and past
 * everybody where it does not. Such traffic takes room that nobody has asked for.
 */
public final class BesideRules {
  private static final int MILLIBITS_PER_BYTE = 8_000;

  /** Less is what every host says to its neighbours. */
  private static final DataRate NOTABLE = DataRate.ofKilobitsPerSecond(1_000);

  private final ProofBook book;
  private final Journal journal;
  private final Map<String, Reading> unmanaged = new ConcurrentHashMap<>();
  private final Set<String> said = new HashSet<>();

  private static final class Reading {
    final UnmanagedTraffic last;
    final DataRate rate;

    Reading(UnmanagedTraffic last, DataRate rate) {
      this.last = last;
      this.rate = rate;
    }
  }

  /** What one host sends so. */
  @AutoValue
  public abstract static class Sender {
    public abstract String host();

    /** Conversations without an intent. */
    public abstract int conversations();

    /** What these send and is held to what they are granted. */
    public abstract DataRate managed();

    /** What nobody holds: left alone by rules, or to hosts that the controller does not know. */
    public abstract DataRate unmanaged();

    /** Who sends most of both, such as {@code iperf3 (root) to 10.0.0.5}; empty where unknown. */
    public abstract String most();

    /** Whether an operator should know. */
    public boolean isNotable() {
      return managed().compareTo(NOTABLE) >= 0 || unmanaged().compareTo(NOTABLE) >= 0;
    }

    /** For a person: who, how much, and a way out. */
    public String sentence() {
      List<String> parts = new ArrayList<>();
      if (managed().compareTo(NOTABLE) >= 0) {
        parts.add(managed().toKbpsFloor() + " kbit/s under the root's intent");
      }
      if (unmanaged().compareTo(NOTABLE) >= 0) {
        parts.add(unmanaged().toKbpsFloor() + " kbit/s that nobody holds");
      }
      return "Host "
          + host()
          + " sends beside its agent's rules: "
          + String.join(", and ", parts)
          + (most().isEmpty() ? "" : "; most by " + most())
          + ". Maybe name it by a rule there"
          + (unmanaged().compareTo(NOTABLE) >= 0 ? ", or set its (unmatched: manage)." : ".");
    }

    static Sender of(
        String host, int conversations, DataRate managed, DataRate unmanaged, String most) {
      return new AutoValue_BesideRules_Sender(host, conversations, managed, unmanaged, most);
    }
  }

  public BesideRules(ProofBook book, Journal journal) {
    this.book = book;
    this.journal = journal;
  }

  /** As an agent has just counted it; on any thread. */
  public void counted(UnmanagedTraffic now) {
    unmanaged.compute(
        now.host(),
        (host, before) -> new Reading(now, before == null ? DataRate.ZERO : rate(before, now)));
  }

  private static DataRate rate(Reading before, UnmanagedTraffic now) {
    long nanos = Duration.between(before.last.at(), now.at()).toNanos();
    long bytes = now.sentBytes() - before.last.sentBytes();
    // An agent that was started again counts from 0.
    return nanos <= 0 || bytes < 0
        ? DataRate.ZERO
        : DataRate.ofMillibitsPerSecond(
            Math.round((double) bytes * MILLIBITS_PER_BYTE / (nanos / 1e9)));
  }

  /** Its agent is gone; what it sends now is not known. */
  public void left(String host) {
    unmanaged.remove(host);
  }

  /** Who sends so at this moment, by host; O(n) in conversations. */
  public List<Sender> senders() {
    Map<String, List<Proof>> byHost = new TreeMap<>();
    unmanaged.keySet().forEach(host -> byHost.put(host, new ArrayList<>()));
    for (Proof proof : book.all()) {
      if (isBeside(proof)) {
        byHost.computeIfAbsent(proof.conversation().id().host(), h -> new ArrayList<>()).add(proof);
      }
    }
    return byHost.entrySet().stream()
        .map(host -> sender(host.getKey(), host.getValue()))
        .collect(Collectors.toUnmodifiableList());
  }

  private static boolean isBeside(Proof proof) {
    return proof.conversation().intent().isEmpty() && !proof.conversation().incoming();
  }

  private Sender sender(String host, List<Proof> proofs) {
    DataRate managed = DataRate.ZERO;
    DataRate passing = DataRate.ZERO;
    DataRate greatest = DataRate.ZERO;
    String most = "";
    for (Proof proof : proofs) {
      DataRate sent = proof.measured().orElse(DataRate.ZERO);
      if (proof.computed().isPresent()) {
        managed = managed.plus(sent);
      } else {
        passing = passing.plus(sent);
      }
      if (sent.compareTo(greatest) > 0) {
        greatest = sent;
        most =
            who(
                proof.conversation().process(),
                proof.conversation().user(),
                proof.conversation().remoteAddress());
      }
    }
    Optional<Reading> reading = Optional.ofNullable(unmanaged.get(host));
    DataRate alone = reading.map(r -> r.rate).orElse(DataRate.ZERO);
    if (alone.compareTo(greatest) > 0) {
      most = reading.map(r -> who(r.last.process(), r.last.user(), r.last.remoteAddress())).get();
    }
    return Sender.of(host, proofs.size(), managed, passing.plus(alone), most);
  }

  private static String who(String process, String user, String remoteAddress) {
    if (remoteAddress.isEmpty()) {
      return "";
    }
    String name = process.isEmpty() ? "an unknown process" : process;
    return name + (user.isEmpty() ? "" : " (" + user + ")") + " to " + remoteAddress;
  }

  /** Tells the journal who has begun to; on one thread. It raises no alarm: nothing is broken. */
  public List<Alarm> look(Collection<Proof> proofs) {
    Set<String> notable = new HashSet<>();
    for (Sender sender : senders()) {
      if (sender.isNotable()) {
        notable.add(sender.host());
        if (!said.contains(sender.host())) {
          journal.warn(sender.sentence());
        }
      }
    }
    said.clear();
    said.addAll(notable);
    return List.of();
  }
}
