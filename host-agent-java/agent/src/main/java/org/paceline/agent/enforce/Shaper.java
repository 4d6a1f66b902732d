package org.paceline.agent.enforce;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;

/**
 * What in the kernel holds rates and sorts packets. A class, here, is what holds one conversation's
 * rate on one interface, whatever the kernel calls it. Owned by one thread.
 */
public interface Shaper extends Closeable {
  /**
   * Makes the root of pacing on these interfaces and begins to sort what they send.
   *
   * @param inherited empty: what is there of an earlier agent's is removed
   */
  void begin(Collection<String> devices, RuleSet rules, Optional<InheritedState> inherited)
      throws IOException;

  /** Makes the root again where somebody took it, or the interface, away. */
  void root(String device) throws IOException;

  /** The greatest rate not above this one that it can hold there to the bit. */
  long expressible(String device, long bitsPerSecond);

  /** Whether there classes may have ceilings, and {@link ClassIds#POOL} to borrow from. */
  default boolean hasPool(String device) {
    return false;
  }

  /** Whether it can let some borrow before others; where not, ranks are not kept there. */
  default boolean ranks(String device) {
    return false;
  }

  /** Carries out all that can be; what the kernel complained of. */
  List<String> apply(String device, ClassChanges changes) throws IOException;

  /** All of an interface's, by their minor number; none where the root is gone. */
  Map<Integer, ClassStatistics> all(String device) throws IOException;

  /** Those of them that there are. */
  Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors) throws IOException;

  /** Whether it takes much longer to make or remove one of its classes than to change it. */
  default boolean restsClasses(String device) {
    return false;
  }

  /** Lets packets find their classes, or not any more. */
  void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException;

  /** Whether new flows are announced by their first packets. */
  boolean hearsFirstPackets() throws IOException;

  /** The processes that work for the agent, for it to count their time as its own. */
  List<Long> helpers();
}
