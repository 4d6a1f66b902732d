package org.paceline.agent.enforce;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Transport;

/**
 * What an agent that was killed left in the kernel, for the next one to go on with: the classes
 * with their rates, and by what packets find them. Nothing else remembers it, so it is true.
 *
 * @param classes by interface and minor number
 * @param keys each with the minor number of its class
 */
public record InheritedState(
    Map<String, Map<Integer, ClassStatistics>> classes, Map<ClassKey, Integer> keys) {
  /** A class that goes on. */
  public record Place(int minor, long rateBitsPerSecond) {}

  /** With what another one holds, too. */
  public InheritedState with(InheritedState other) {
    Map<String, Map<Integer, ClassStatistics>> allClasses = new HashMap<>(classes);
    allClasses.putAll(other.classes());
    Map<ClassKey, Integer> allKeys = new HashMap<>(keys);
    allKeys.putAll(other.keys());
    return new InheritedState(allClasses, allKeys);
  }

  /** Without the keys of the other direction. */
  public InheritedState only(Direction way) {
    Map<ClassKey, Integer> own = new HashMap<>(keys);
    own.keySet().removeIf(key -> key.direction() != way);
    return new InheritedState(classes, own);
  }

  public Optional<Place> place(String device, ClassKey key) {
    return Optional.ofNullable(keys.get(key))
        .flatMap(minor -> Optional.ofNullable(classes.getOrDefault(device, Map.of()).get(minor)))
        .map(c -> new Place(c.minor(), c.rateBitsPerSecond()));
  }

  /** The numbers of conversations' classes. */
  public Set<Integer> minors() {
    Set<Integer> minors = new TreeSet<>();
    classes.values().forEach(c -> minors.addAll(c.keySet()));
    minors.remove(ClassIds.NEWCOMERS);
    minors.remove(ClassIds.POOL);
    return minors;
  }

  /**
   * By what TCP sockets find their classes. A UDP socket that serves many peers shows none of them:
   * its next packet has to announce it again.
   */
  public Map<ClassKey, Integer> lasting() {
    Map<ClassKey, Integer> lasting = new HashMap<>(keys);
    lasting.keySet().removeIf(key -> key.transport() == Transport.UDP);
    return lasting;
  }

  /** Those of {@link #lasting} that no conversation uses any more. */
  public Map<ClassKey, Integer> stale(Set<ClassKey> used) {
    Map<ClassKey, Integer> stale = lasting();
    stale.keySet().removeAll(used);
    return stale;
  }
}
