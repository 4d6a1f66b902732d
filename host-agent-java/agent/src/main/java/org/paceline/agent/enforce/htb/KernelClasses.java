package org.paceline.agent.enforce.htb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.netlink.Batch;
import org.paceline.agent.netlink.Netlink;

/**
 * The HTB classes below our root and their queues, as rtnetlink changes and shows them. A class
 * takes the kernel microseconds; what took a hundred times that was tc, which was told each in
 * words and told all of them back. Owned by one thread.
 */
public final class KernelClasses implements Closeable {
  private static final int NEW_QDISC = 36;
  private static final int NEW_CLASS = 40;
  private static final int DELETE_CLASS = 41;
  private static final int GET_CLASS = 42;
  private static final int ECHO = 0x08;
  private static final int EXCLUSIVE = 0x200;
  private static final int CREATE = 0x400;
  private static final int ROOT = ClassIds.MAJOR << 16;
  // Sockets are held back by what they have in the queue, so the limit is never reached by TCP and
  // only by a UDP sender with a send buffer far beyond the default.
  private static final int LEAF_PACKETS = 1_000;

  // What is received must not wait for long, and who sends it has to notice: a tenth of a second,
  // but room for what a card hands over as one packet.
  private static final long LEAST_INCOMING_BYTES = 70_000;
  private static final long INCOMING_PARTS_OF_A_SECOND = 10;

  private final Netlink netlink;
  private final boolean incoming;

  /** Whether this kernel has a queue that takes turns; not known before the first is made. */
  private Optional<Boolean> turns = Optional.empty();

  private KernelClasses(boolean incoming) throws IOException {
    this.netlink = Netlink.route();
    this.incoming = incoming;
  }

  public static KernelClasses open() throws IOException {
    return new KernelClasses(false);
  }

  /** Whose queues are limited by time, for what this host receives. */
  public static KernelClasses ofIncoming() throws IOException {
    return new KernelClasses(true);
  }

  /** Carries out all that can be, where there is no pool; what the kernel complained of. */
  public List<String> apply(String device, ClassChanges changes) throws IOException {
    return apply(device, changes, 0);
  }

  /**
   * Carries out all that can be; what the kernel complained of.
   *
   * @param parent of conversations' classes that are made: {@link ClassIds#POOL}, or 0 for the root
   */
  List<String> apply(String device, ClassChanges changes, int parent) throws IOException {
    Optional<Integer> index = Netlink.index(device);
    if (changes.isEmpty()) {
      return List.of();
    }
    if (index.isEmpty()) {
      return List.of("There is no interface (" + device + ").");
    }
    int on = index.get();
    List<Netlink.Message> messages = new ArrayList<>();
    List<Netlink.Message> queues = new ArrayList<>();
    for (int minor : changes.removed()) {
      messages.add(to -> about(to.message(DELETE_CLASS, 0), on, ROOT | minor, 0));
    }
    Optional.ofNullable(changes.added().get(ClassIds.POOL))
        .ifPresent(
            rate -> messages.add(to -> put(to, CREATE | EXCLUSIVE, on, ClassIds.POOL, 0, rate)));
    // Before anybody's ceiling is raised, or after all are lowered.
    Optional<ClassRate> pool = Optional.ofNullable(changes.changed().get(ClassIds.POOL));
    boolean ends = pool.filter(rate -> rate.bitsPerSecond() == 0).isPresent();
    if (!ends) {
      pool.ifPresent(rate -> messages.add(new Change(on, ClassIds.POOL, rate)));
    }
    changes
        .changed()
        .forEach(
            (minor, rate) -> {
              if (minor != ClassIds.POOL) {
                messages.add(new Change(on, minor, rate));
              }
              if (incoming) {
                messages.add(to -> queue(to, 0, on, minor, rate));
              }
            });
    if (ends) {
      pool.ifPresent(rate -> messages.add(new Change(on, ClassIds.POOL, rate)));
    }
    changes
        .added()
        .forEach(
            (minor, rate) -> {
              if (minor != ClassIds.POOL) {
                int in = minor == ClassIds.NEWCOMERS ? 0 : parent;
                messages.add(to -> put(to, CREATE | EXCLUSIVE, on, minor, in, rate));
                queues.add(to -> queue(to, CREATE | EXCLUSIVE, on, minor, rate));
              }
            });
    List<Netlink.Failure> failures = new ArrayList<>(netlink.send(messages, answer -> {}));
    if (!queues.isEmpty()) {
      if (!incoming && turns.isEmpty()) {
        learnOfTurns(queues);
      }
      failures.addAll(netlink.send(queues, answer -> {}));
    }
    return failures.stream().map(failure -> device + ": " + failure.text()).distinct().toList();
  }

  /**
   * Makes the first, and so learns whether the kernel takes turns: few have all kinds of queues,
   * and those that are modules load when they are needed.
   */
  private void learnOfTurns(List<Netlink.Message> queues) throws IOException {
    List<Netlink.Message> first = queues.subList(0, 1);
    for (boolean tried : new boolean[] {true, false}) {
      turns = Optional.of(tried);
      if (netlink.send(first, answer -> {}).isEmpty()) {
        first.clear();
        return;
      }
    }
    // It was not the kind of queue: there may be no class for it.
    turns = Optional.empty();
  }

  private static void about(Batch to, int device, int handle, int parent) {
    // Of any address family, and no further information.
    to.u32(0).u32(device).u32(handle).u32(parent).u32(0);
  }

  // Thousands a second, which as lambdas would be several times as slow to make.
  private record Change(int device, int minor, ClassRate rate) implements Netlink.Message {
    @Override
    public void write(Batch to) {
      // Whose child it is cannot be changed, and does not matter.
      put(to, 0, device, minor, 0, rate);
    }
  }

  private static void put(Batch to, int flags, int device, int minor, int parent, ClassRate rate) {
    about(to.message(NEW_CLASS, flags), device, ROOT | minor, ROOT | parent);
    if (minor == ClassIds.POOL) {
      HtbClass.writePool(to, PoolClass.told(rate));
    } else {
      HtbClass.write(to, rate);
    }
  }

  private void queue(Batch to, int flags, int device, int minor, ClassRate rate) {
    about(to.message(NEW_QDISC, flags), device, 0, ROOT | minor);
    if (incoming) {
      long bytes = rate.bitsPerSecond() / Byte.SIZE / INCOMING_PARTS_OF_A_SECOND;
      HtbClass.writeByteQueue(
          to, Math.min(Integer.MAX_VALUE, Math.max(LEAST_INCOMING_BYTES, bytes)));
    } else if (turns.orElse(false)) {
      HtbClass.writeFairQueue(to, LEAF_PACKETS);
    } else {
      HtbClass.writeQueue(to, LEAF_PACKETS);
    }
  }

  /** All of an interface's, by their minor number; none where there is no interface or no root. */
  public Map<Integer, ClassStatistics> all(String device) throws IOException {
    Map<Integer, ClassStatistics> classes = new HashMap<>();
    Optional<Integer> index = Netlink.index(device);
    if (index.isPresent()) {
      // With the root as parent the kernel leaves out the queues of every class.
      require(
          netlink.dump(
              GET_CLASS,
              to -> about(to, index.get(), 0, ROOT),
              entry -> take(entry, index.get(), classes)));
    }
    return classes;
  }

  /** Those of them that there are. */
  public Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors)
      throws IOException {
    Map<Integer, ClassStatistics> classes = new HashMap<>();
    Optional<Integer> index = Netlink.index(device);
    if (index.isPresent()) {
      List<Netlink.Message> questions = new ArrayList<>();
      for (int minor : minors) {
        // Older kernels answer to others who listen, and to the one who asks only where he says so.
        questions.add(to -> about(to.message(GET_CLASS, ECHO), index.get(), ROOT | minor, 0));
      }
      // What is not there is not in the answer either.
      netlink.send(questions, entry -> take(entry, index.get(), classes));
    }
    return classes;
  }

  private static void take(ByteBuffer entry, int device, Map<Integer, ClassStatistics> classes) {
    entry.order(ByteOrder.nativeOrder());
    if (entry.limit() >= HtbClass.HEADER && entry.getInt(4) == device) {
      HtbClass.read(entry).map(PoolClass::understood).ifPresent(c -> classes.put(c.minor(), c));
    }
  }

  private static void require(List<Netlink.Failure> failures) throws IOException {
    if (!failures.isEmpty()) {
      throw new IOException("the classes cannot be read: " + failures.get(0).text());
    }
  }

  @Override
  public void close() {
    netlink.close();
  }
}
