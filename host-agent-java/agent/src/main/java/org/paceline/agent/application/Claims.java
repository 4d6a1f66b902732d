package org.paceline.agent.application;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.paceline.intents.tree.IntentPath;

/**
 * Which sockets applications have named themselves. A socket is known by its inode, which no other
 * gets while it is open; what is claimed by process is looked up at every reading of the sockets.
 * Owned by one thread.
 */
public final class Claims {
  private static final int MOST = 64;
  private static final int MOST_KPIS = 16;

  private final LongFunction<Set<Long>> socketsOf;
  private final List<Claim> claims = new ArrayList<>();
  private final Map<Applicant, Map<String, ReportedKpi>> kpis = new HashMap<>();
  private Map<Long, Claim> byInode = Map.of();

  /**
   * @param process whose connection said so
   */
  public record Claimed(IntentPath intent, long process) {}

  /**
   * @param inode 0: all of the process
   */
  private record Claim(Applicant by, IntentPath intent, ProcessHandle process, long inode) {
    boolean isSameAs(Claim other) {
      return by.equals(other.by) && process.equals(other.process) && inode == other.inode;
    }

    boolean isOver(Set<Long> open) {
      return inode == 0 ? !process.isAlive() : !open.contains(inode);
    }
  }

  /**
   * @param socketsOf the inodes that a process holds now
   */
  public Claims(LongFunction<Set<Long>> socketsOf) {
    this.socketsOf = socketsOf;
  }

  /** All sockets of a process, from the next {@link #refresh}; a later claim takes its place. */
  public void process(Applicant by, IntentPath intent, ProcessHandle process) {
    add(new Claim(by, intent, process, 0));
  }

  /** One socket, whatever is claimed for its process. */
  public void socket(Applicant by, IntentPath intent, long inode) {
    add(new Claim(by, intent, by.process(), inode));
  }

  private void add(Claim claim) {
    List<Claim> own = claims.stream().filter(c -> c.by().equals(claim.by())).toList();
    if (own.size() >= MOST && own.stream().noneMatch(claim::isSameAs)) {
      throw new IllegalArgumentException(
          "This connection has " + MOST + " claims already. Maybe claim the whole process.");
    }
    claims.removeIf(claim::isSameAs);
    claims.add(claim);
  }

  /**
   * What the sockets of this connection's claims are to be reported with, until it ends.
   *
   * @param nanos when, by {@link System#nanoTime}
   */
  public void report(Applicant by, Map<String, Double> values, long nanos) {
    if (claims.stream().noneMatch(claim -> claim.by().equals(by))) {
      throw new IllegalArgumentException(
          "This connection has claimed nothing that KPIs could be about. Maybe claim first.");
    }
    Map<String, ReportedKpi> all = new TreeMap<>(kpis.getOrDefault(by, Map.of()));
    values.forEach((name, value) -> all.put(name, new ReportedKpi(value, nanos)));
    if (all.size() > MOST_KPIS) {
      throw new IllegalArgumentException(
          "More than " + MOST_KPIS + " KPIs of one connection are not reported: " + all.keySet());
    }
    kpis.put(by, all);
  }

  /** The connection has ended, and what it said with it. */
  public void forget(Applicant by) {
    claims.removeIf(claim -> claim.by().equals(by));
    kpis.remove(by);
  }

  /**
   * Looks up the sockets of every claim.
   *
   * @param open the inodes of all sockets there are
   */
  public void refresh(Set<Long> open) {
    if (claims.isEmpty()) {
      byInode = Map.of();
      return;
    }
    claims.removeIf(claim -> claim.isOver(open));
    Map<Long, Claim> now = new HashMap<>();
    Map<Long, Set<Long>> held = new HashMap<>();
    for (Claim claim : claims) {
      if (claim.inode() == 0) {
        held.computeIfAbsent(claim.process().pid(), socketsOf::apply)
            .forEach(inode -> now.put(inode, claim));
      }
    }
    for (Claim claim : claims) {
      if (claim.inode() != 0) {
        now.put(claim.inode(), claim);
      }
    }
    byInode = now;
  }

  /** What the socket was said to be for. */
  public Optional<IntentPath> intent(long inode) {
    return Optional.ofNullable(byInode.get(inode)).map(Claim::intent);
  }

  /** What sockets were said to be for, by their inodes. */
  public Map<Long, Claimed> claimed() {
    Map<Long, Claimed> claimed = new HashMap<>();
    byInode.forEach(
        (inode, claim) ->
            claimed.put(inode, new Claimed(claim.intent(), claim.by().process().pid())));
    return claimed;
  }

  public boolean isBy(Applicant by, long inode) {
    return Optional.ofNullable(byInode.get(inode)).map(c -> c.by().equals(by)).orElse(false);
  }

  public Map<String, ReportedKpi> kpis(long inode) {
    return Optional.ofNullable(byInode.get(inode))
        .map(claim -> kpis.getOrDefault(claim.by(), Map.of()))
        .orElse(Map.of());
  }

  /**
   * Whether nobody claims anything, be there sockets for it or not, nor did at the last reading.
   */
  public boolean areNone() {
    return claims.isEmpty() && byInode.isEmpty();
  }

  public boolean isEmpty() {
    return byInode.isEmpty();
  }
}
