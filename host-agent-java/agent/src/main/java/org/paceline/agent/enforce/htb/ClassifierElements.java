package org.paceline.agent.enforce.htb;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ingress.IngressTable;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.netlink.Batch;
import org.paceline.agent.netlink.Netlink;

/**
 * The elements of the {@link Classifier}'s maps and sets, or the {@link IngressTable}'s, as
 * nfnetlink changes them. It takes the kernel microseconds; a program that is started for it on a
 * busy host takes tens of milliseconds, for which every rate has to wait. Owned by one thread.
 */
public final class ClassifierElements implements Closeable {
  private static final int GET_TABLE = Netlink.NFTABLES << 8 | 1;
  private static final int NEW = Netlink.NFTABLES << 8 | 12;
  private static final int DELETE = Netlink.NFTABLES << 8 | 14;
  private static final int CREATE = 0x400;
  private static final int INET = 1;
  private static final int NETDEV = 5;
  private static final int NESTED = 0x8000;
  private static final int TABLE = 1;
  private static final int SET = 2;
  private static final int ELEMENTS = 3 | NESTED;
  private static final int ELEMENT = 1 | NESTED;
  private static final int KEY = 1 | NESTED;
  private static final int DATA = 2 | NESTED;
  private static final int VALUE = 1;

  private final Netlink netlink;
  private final int family;

  /** By what packets are to be sorted, whoever empties the table. */
  private final Map<ClassKey, Integer> wanted = new HashMap<>();

  private ClassifierElements(int family) throws IOException {
    this.netlink = Netlink.nftables();
    this.family = family;
  }

  static ClassifierElements open() throws IOException {
    return new ClassifierElements(INET);
  }

  /** Of the {@link IngressTable}. */
  public static ClassifierElements ofIncoming() throws IOException {
    return new ClassifierElements(NETDEV);
  }

  /** The table was made with these. */
  public void begin(Map<ClassKey, Integer> elements) {
    wanted.clear();
    wanted.putAll(elements);
  }

  /** For whoever makes the table anew. */
  public Map<ClassKey, Integer> wanted() {
    return Map.copyOf(wanted);
  }

  /** Whether the table is; a firewall that flushes all before it loads its own takes it along. */
  public boolean haveTable() throws IOException {
    return netlink.send(List.of(to -> table(to.message(GET_TABLE, 0))), answer -> {}).isEmpty();
  }

  /** Puts and takes elements in one transaction: all or nothing. */
  public void change(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    wanted.keySet().removeAll(taken);
    wanted.putAll(put);
    List<Netlink.Message> messages = new ArrayList<>();
    for (ClassKey key : taken) {
      messages.add(to -> element(to.message(DELETE, 0), key.map(), key, Optional.empty()));
    }
    put.forEach(
        (key, minor) ->
            messages.add(
                to -> element(to.message(NEW, CREATE), key.map(), key, Optional.of(minor))));
    for (Flow flow : forgotten) {
      ClassKey key = ClassKey.of(flow, RuleSet.Coverage.SOCKET);
      String seen = key.ipv4() ? "seen4" : "seen6";
      // To delete what is not there fails, to add what is there does not.
      messages.add(to -> element(to.message(NEW, CREATE), seen, key, Optional.empty()));
      messages.add(to -> element(to.message(DELETE, 0), seen, key, Optional.empty()));
    }
    List<Netlink.Failure> failures = netlink.transaction(messages);
    if (!failures.isEmpty()) {
      throw new IOException("nftables refused to sort packets: " + failures.get(0).text());
    }
  }

  private Batch table(Batch to) {
    // Family, version, and a number that is not used.
    return to.u8(family).u8(0).u16(0).text(TABLE, Classifier.TABLE);
  }

  private void element(Batch to, String set, ClassKey key, Optional<Integer> minor) {
    table(to).text(SET, set);
    int elements = to.begin(ELEMENTS);
    int element = to.begin(ELEMENT);
    int bytes = to.begin(KEY);
    int value = to.begin(VALUE);
    to.bytes(key.bytes()).end(value).end(bytes);
    if (minor.isPresent()) {
      int data = to.begin(DATA);
      int id = to.begin(VALUE);
      to.u32(Integer.toUnsignedLong(ClassIds.MAJOR << 16 | minor.get())).end(id).end(data);
    }
    to.end(element).end(elements);
  }

  @Override
  public void close() {
    netlink.close();
  }
}
