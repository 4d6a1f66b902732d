package org.paceline.agent.ports;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.htb.KernelClasses;
import org.paceline.agent.netlink.Attributes;
import org.paceline.agent.netlink.Batch;
import org.paceline.agent.netlink.Netlink;

/** Reads back from the kernel how ports are divided. Owned by one thread. */
final class PortReader implements Closeable {
  private static final int GET_QDISC = 38;
  private static final int GET_FILTER = 46;

  /** Of every message: {@code tcmsg}. */
  private static final int HEADER = 20;

  private static final int KIND = 1;
  private static final int OPTIONS = 2;
  private static final int FILTER_CLASS = 1;
  private static final int FILTER_TABLE = 3;
  private static final int FILTER_SELECTOR = 5;

  /** Of {@code tc_u32_sel}: by which bits a table's place is chosen, and its first key. */
  private static final int SELECTOR_HASHED = 12;

  private static final int SELECTOR_MASK = 16;

  private static final int SELECTOR_VALUE = 20;
  private static final int SELECTOR_END = 24;
  private static final int ROOT = ClassIds.MAJOR << 16;
  private static final int MINOR = 0xffff;
  private static final Set<Integer> LANES =
      IntStream.range(0, PortTree.LANES)
          .mapToObj(lane -> PortTree.FIRST_LANE + lane)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<Integer> EARLIER_CLASSES =
      with(LANES, PortTree.PORT, PortTree.ELEPHANTS, PortTree.OTHERS);
  private static final Set<Integer> CLASSES = with(EARLIER_CLASSES, PortTree.CONTROL);

  /** Of an IPv4 header's first word, the DSCP; and of an IPv6 header's. */
  private static final int MASK_4 = 0x00fc_0000;

  private static final int MASK_6 = 0x0fc0_0000;
  private static final int SHIFT_4 = 18;
  private static final int SHIFT_6 = 22;

  /** The first byte of a word. */
  private static final int TYPE_SHIFT = 24;

  private static final int EARLIER_LAST_FILTER = 3;

  /** Of the handle of a table, and where in a filter's info its priority stands. */
  private static final int TABLE_SHIFT = 20;

  private static final int PRIORITY_SHIFT = 16;

  private final KernelClasses classes;
  private final Netlink netlink;

  private static Set<Integer> with(Set<Integer> classes, Integer... more) {
    return Stream.concat(classes.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
  }

  PortReader() throws IOException {
    classes = KernelClasses.open();
    try {
      netlink = Netlink.route();
    } catch (IOException e) {
      classes.close();
      throw e;
    }
  }

  /** What stands on a port. */
  enum Standing {
    /** Nothing of ours. */
    UNDIVIDED,
    /** Something of ours, but not all, or not as we make it. */
    BROKEN,
    /** All that an agent of an earlier version made: control frames wait with others. */
    EARLIER,
    /** All classes, queues and filters. */
    DIVIDED
  }

  /**
   * @param shares of a port that is divided, or was by an earlier agent
   * @param elephants what all their lanes have counted
   */
  record Reading(
      Standing standing, Optional<PortShares> shares, QueueReading elephants, QueueReading others) {
    static final Reading UNDIVIDED = of(Standing.UNDIVIDED);
    static final Reading BROKEN = of(Standing.BROKEN);

    private static Reading of(Standing standing) {
      QueueReading nothing = new QueueReading(0, 0, 0);
      return new Reading(standing, Optional.empty(), nothing, nothing);
    }
  }

  /**
   * By what packets find their class.
   *
   * @param minor of the class; 0 where a table tells it
   * @param table by whose places the class is told, and {@code hashed} the bits of the place
   */
  private record Filter(int priority, int minor, int value, int mask, int table, int hashed) {
    static Filter to(int priority, int minor) {
      return new Filter(priority, minor, 0, 0, 0, 0);
    }

    static Filter ofNeighbours(int value, int mask) {
      int priority = PortTree.NEIGHBOUR_FILTER;
      return new Filter(priority, PortTree.CONTROL, value << TYPE_SHIFT, mask << TYPE_SHIFT, 0, 0);
    }

    static Filter byLane(int priority, int value, int mask, int table) {
      return new Filter(priority, 0, value, mask, table, PortTree.LANE_MASK);
    }
  }

  /**
   * @param buffer as the port's queues are to have it
   */
  Reading read(String device, Duration buffer) throws IOException {
    Optional<Integer> index = Netlink.index(device);
    Map<Integer, ClassStatistics> found = classes.all(device);
    if (index.isEmpty() || found.isEmpty() && !hasRoot(index.get())) {
      return Reading.UNDIVIDED;
    }
    Set<Filter> filters = filters(index.get());
    int dscp =
        filters.stream()
            .filter(filter -> filter.table == PortTree.LANES_4)
            .mapToInt(filter -> filter.value >>> SHIFT_4)
            .max()
            .orElse(0);
    Standing standing = found.keySet().equals(CLASSES) ? Standing.DIVIDED : Standing.EARLIER;
    if (standing == Standing.EARLIER && !found.keySet().equals(EARLIER_CLASSES)) {
      return Reading.BROKEN;
    }
    long control = rate(found, PortTree.CONTROL);
    long elephants = rate(found, PortTree.ELEPHANTS);
    long others = rate(found, PortTree.OTHERS) + control;
    if (dscp < 1 || Math.min(elephants, others) < PortShares.LEAST_BITS_PER_SECOND) {
      return Reading.BROKEN;
    }
    PortShares shares = new PortShares(elephants, others, dscp);
    boolean isWhole =
        filters.equals(expected(dscp, standing))
            && rate(found, PortTree.PORT) == shares.totalBitsPerSecond()
            && (standing == Standing.EARLIER || control == shares.controlBitsPerSecond())
            && limits(index.get()).equals(expected(shares, buffer, standing));
    return isWhole
        ? new Reading(
            standing, Optional.of(shares), elephants(found), count(found, PortTree.OTHERS))
        : Reading.BROKEN;
  }

  /** The class above the lanes counts what they send, and each lane what it drops. */
  private static QueueReading elephants(Map<Integer, ClassStatistics> found) {
    QueueReading sent = count(found, PortTree.ELEPHANTS);
    long dropped = LANES.stream().mapToLong(lane -> count(found, lane).droppedPackets()).sum();
    return new QueueReading(sent.bytes(), sent.packets(), dropped);
  }

  private static QueueReading count(Map<Integer, ClassStatistics> found, int minor) {
    ClassStatistics one = Objects.requireNonNull(found.get(minor));
    return new QueueReading(one.sentBytes(), one.sentPackets(), one.droppedPackets());
  }

  private static long rate(Map<Integer, ClassStatistics> found, int minor) {
    return Optional.ofNullable(found.get(minor)).map(ClassStatistics::rateBitsPerSecond).orElse(0L);
  }

  private static Set<Filter> expected(int dscp, Standing standing) {
    Set<Filter> filters = new HashSet<>();
    for (int lane : LANES) {
      filters.add(Filter.to(1, lane));
      filters.add(Filter.to(2, lane));
    }
    filters.add(Filter.byLane(1, dscp << SHIFT_4, MASK_4, PortTree.LANES_4));
    filters.add(Filter.byLane(2, dscp << SHIFT_6, MASK_6, PortTree.LANES_6));
    if (standing == Standing.EARLIER) {
      filters.add(Filter.to(EARLIER_LAST_FILTER, PortTree.OTHERS));
      return filters;
    }
    for (int at = PortTree.FIRST_CONTROL_FILTER; at < PortTree.NEIGHBOUR_FILTER; at++) {
      filters.add(Filter.to(at, PortTree.CONTROL));
    }
    for (int[] type : PortTree.NEIGHBOUR_TYPES) {
      filters.add(Filter.ofNeighbours(type[0], type[1]));
    }
    filters.add(Filter.to(PortTree.LAST_FILTER, PortTree.OTHERS));
    return filters;
  }

  private static Map<Integer, Long> expected(
      PortShares shares, Duration buffer, Standing standing) {
    Map<Integer, Long> limits = new TreeMap<>();
    if (standing == Standing.DIVIDED) {
      limits.put(PortTree.CONTROL, PortTree.CONTROL_BUFFER_BYTES);
    }
    limits.put(PortTree.OTHERS, PortTree.bufferBytes(shares.othersBitsPerSecond(), buffer));
    for (int lane : LANES) {
      limits.put(lane, PortTree.bufferBytes(shares.elephantsBitsPerSecond(), buffer));
    }
    return limits;
  }

  private static void about(Batch to, int device, int parent) {
    to.u32(0).u32(device).u32(0).u32(parent).u32(0);
  }

  private boolean hasRoot(int device) throws IOException {
    List<Integer> handles = new ArrayList<>();
    ask(GET_QDISC, device, 0, entry -> handles.add(entry.getInt(8)));
    return handles.contains(ROOT);
  }

  /** The bytes that fit into each class's queue; those of other kinds are left out. */
  private Map<Integer, Long> limits(int device) throws IOException {
    Map<Integer, Long> limits = new TreeMap<>();
    ask(
        GET_QDISC,
        device,
        0,
        entry -> {
          Attributes all = attributes(entry);
          int parent = entry.getInt(12);
          if ((parent & ~MINOR) == ROOT && all.is(KIND, "bfifo")) {
            limits.put(parent & MINOR, all.u32(OPTIONS, 0));
          }
        });
    return limits;
  }

  private Set<Filter> filters(int device) throws IOException {
    Set<Filter> filters = new HashSet<>();
    ask(
        GET_FILTER,
        device,
        ROOT,
        entry -> {
          int priority = entry.getInt(16) >>> PRIORITY_SHIFT;
          Attributes options = attributes(entry).in(OPTIONS);
          // Tables of u32 are listed, too, and have no selector.
          options
              .find(FILTER_SELECTOR)
              .filter(selector -> selector.limit() >= SELECTOR_END)
              .map(selector -> selector.order(ByteOrder.BIG_ENDIAN))
              .ifPresent(
                  selector ->
                      filters.add(
                          new Filter(
                              priority,
                              (int) options.u32(FILTER_CLASS, 0) & MINOR,
                              selector.getInt(SELECTOR_VALUE),
                              selector.getInt(SELECTOR_MASK),
                              (int) options.u32(FILTER_TABLE, 0) >>> TABLE_SHIFT,
                              selector.getInt(SELECTOR_HASHED))));
        });
    return filters;
  }

  private static Attributes attributes(ByteBuffer entry) {
    return new Attributes(entry.slice(HEADER, entry.limit() - HEADER));
  }

  private interface Taker {
    void take(ByteBuffer entry);
  }

  private void ask(int type, int device, int parent, Taker taker) throws IOException {
    List<Netlink.Failure> failures =
        netlink.dump(
            type,
            to -> about(to, device, parent),
            entry -> {
              entry.order(ByteOrder.nativeOrder());
              // Queues are listed of all interfaces, whichever is asked for.
              if (entry.limit() >= HEADER && entry.getInt(4) == device) {
                taker.take(entry);
              }
            });
    if (!failures.isEmpty()) {
      throw new IOException("the queues cannot be read: " + failures.get(0).text());
    }
  }

  @Override
  public void close() {
    netlink.close();
    classes.close();
  }
}
