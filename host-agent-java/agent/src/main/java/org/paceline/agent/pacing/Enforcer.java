package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.flow.Flow;

/**
 * Holds conversations to their rates on this host's interfaces. What is wanted is said first; what
 * is installed is always read back from the kernel. Owned by one thread.
 */
public interface Enforcer extends AutoCloseable {
  /**
   * From the next {@link #reconcile} on the class has this rate, and this ceiling where it may
   * borrow there.
   */
  void want(String device, int minor, ClassRate rate);

  void unwant(String device, int minor);

  /**
   * From the next {@link #reconcile} on the classes there that borrow do so as long as all together
   * send less than this; 0: there is nothing to borrow, and no class may have a ceiling.
   */
  void wantPool(String device, long bitsPerSecond);

  /** Whether conversations of the interface may borrow from each other, if they are let. */
  boolean hasPool(String device);

  /** As read at the last {@link #reconcile}; 0: there is nothing to borrow. */
  long installedPool(String device);

  /** The greatest rate not above this one that can be installed there to the bit. */
  long expressible(String device, long bitsPerSecond);

  /** Lets packets find their classes, or not any more. */
  void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException;

  /** Installs the differences and reads back; what was complained of. */
  List<String> reconcile(String device) throws IOException;

  /** The same for a few of its classes; the others are as they were last read. */
  List<String> reconcile(String device, Set<Integer> minors) throws IOException;

  /** As read at the last {@link #reconcile}. */
  Map<Integer, ClassStatistics> installed(String device);

  Set<String> devices();

  /** Whether new flows are announced by their first packets. */
  boolean hearsFirstPackets() throws IOException;

  /** The processes that work for the agent, for it to count their time as its own. */
  List<Long> helpers();

  /** Takes all pacing down while the agent goes on. */
  void uninstall() throws IOException;

  @Override
  void close() throws IOException;
}
