package org.paceline.control.borrowing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;

/**
 * Divides what is left of links among conversations by weighted max-min fairness with upper bounds:
 * all shares grow together, each in proportion to its weight, until a link of the conversation's
 * path is full or it has what it wants. So nothing is left of a link that somebody on it could use,
 * unless another link holds them all back. Bertsekas and Gallager, Data Networks (1992), 6.5.2.
 *
 * <p>Each step settles at least one conversation. O(n log n + n (links + hops)) for n of them.
 */
final class ProgressiveFilling {
  private final Map<LinkId, Room> rooms = new HashMap<>();
  private final List<Claim> claims = new ArrayList<>();

  /** What one link still has for those on it, in millibits per second. */
  private static final class Room {
    final long whole;
    double taken;
    long weights;
    final List<Claim> claims = new ArrayList<>();

    Room(long whole) {
      this.whole = whole;
    }

    /** The share of its weight that each of those that are not settled can have. */
    double level() {
      return Math.max(0, whole - taken) / weights;
    }
  }

  private static final class Claim {
    final ConversationId id;
    final long weight;
    final double wanted;
    final List<Room> path;
    Optional<Double> level = Optional.empty();

    Claim(ConversationId id, long weight, double wanted, List<Room> path) {
      this.id = id;
      this.weight = weight;
      this.wanted = wanted;
      this.path = path;
    }

    void settle(double at) {
      level = Optional.of(at);
      for (Room room : path) {
        room.taken += at * weight;
        room.weights -= weight;
      }
    }
  }

  /**
   * @param room what the link has to divide, in millibits per second; a link that is not named has
   *     nothing
   */
  void link(LinkId link, long room) {
    rooms.put(link, new Room(Math.max(0, room)));
  }

  /**
   * @param weight above 0
   * @param most what it can use at most, in weights; infinite where that is not known
   */
  void claim(ConversationId id, long weight, double most, Collection<LinkId> path) {
    List<Room> crossed = new ArrayList<>();
    for (LinkId link : path) {
      crossed.add(rooms.computeIfAbsent(link, l -> new Room(0)));
    }
    Claim claim = new Claim(id, weight, most, crossed);
    for (Room room : crossed) {
      room.weights += weight;
      room.claims.add(claim);
    }
    claims.add(claim);
  }

  /** What each has, in weights: the conversations on a link have at most its room together. */
  Map<ConversationId, Double> levels() {
    claims.sort(Comparator.comparingDouble(claim -> claim.wanted));
    Deque<Claim> byWant = new ArrayDeque<>(claims);
    while (!byWant.isEmpty()) {
      if (byWant.getFirst().level.isPresent()) {
        byWant.removeFirst();
        continue;
      }
      Claim modest = byWant.getFirst();
      Optional<Room> narrow =
          rooms.values().stream()
              .filter(room -> room.weights > 0)
              .min(Comparator.comparingDouble(Room::level));
      if (modest.path.isEmpty() || modest.wanted <= narrow.orElseThrow().level()) {
        // Whoever crosses no link has nothing of it.
        modest.settle(modest.path.isEmpty() ? 0 : modest.wanted);
      } else {
        fill(narrow.get());
      }
    }
    Map<ConversationId, Double> levels = new TreeMap<>();
    claims.forEach(claim -> levels.put(claim.id, claim.level.orElseThrow()));
    return levels;
  }

  private static void fill(Room room) {
    double level = room.level();
    room.claims.stream().filter(claim -> claim.level.isEmpty()).forEach(c -> c.settle(level));
  }
}
