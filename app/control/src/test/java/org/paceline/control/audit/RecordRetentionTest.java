package org.paceline.control.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.paceline.control.RememberedRecords;

final class RecordRetentionTest {
  /** What a killed process does next: nothing. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private final RememberedRecords<String> store = new RememberedRecords<>(this::write);
  private final RememberedRecords<String> exported = new RememberedRecords<>(this::write);
  private final Set<String> inUse = new HashSet<>();
  private final Set<String> askedFor = new HashSet<>();
  private int kept = 150;
  private long writesLeft = Long.MAX_VALUE;
  private Node node = new Node("n1");

  private void write() {
    if (writesLeft-- <= 0) {
      throw new Killed();
    }
  }

  /** A controller of the cluster with a disk of its own. */
  private final class Node {
    private final String name;

    /** By their names the lines of its files. */
    private final Map<String, List<String>> files = new TreeMap<>();

    private boolean isFull;
    private Runnable whileWriting = () -> {};
    NumberedRecords<String> records;
    RecordRetention<String> retention;

    Node(String name) {
      this.name = name;
      start();
    }

    void start() {
      records = new NumberedRecords<>("kind", store, exported);
      retention =
          new RecordRetention<>(
              records,
              () -> kept,
              this::write,
              askedFor::contains,
              () -> Set.copyOf(inUse)::contains);
    }

    private String write(long first, long last, Iterable<String> values) throws IOException {
      if (isFull) {
        throw new IOException("No space left on device.");
      }
      List<String> lines = new ArrayList<>();
      for (String value : values) {
        lines.add(value);
        whileWriting.run();
      }
      files.put(first + "-" + last, lines);
      return "It is on " + name + ".";
    }

    Set<String> lines() {
      return files.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    }
  }

  private static String value(long number) {
    return "value " + number;
  }

  private void addUpTo(long last) {
    for (long next = node.records.newest() + 1; next <= last; next++) {
      assertThat(node.records.add(next, value(next))).isTrue();
    }
  }

  private Set<Long> keptNumbers() {
    return store.keys().stream().map(Long::valueOf).collect(Collectors.toSet());
  }

  @Test
  void wholeBlocksBeyondTheNewestAreExportedAndThenGone() throws IOException {
    addUpTo(349);
    node.retention.run();
    assertThat(node.files.keySet()).containsExactly("1-100");
    assertThat(node.files.get("1-100")).startsWith(value(1), value(2)).endsWith(value(100));
    assertThat(keptNumbers()).hasSize(249).doesNotContain(1L, 100L).contains(101L);
    assertThat(node.records.exportedTo(100)).contains("It is on n1.");
    addUpTo(350);
    node.retention.run();
    assertThat(node.files.keySet()).containsExactly("1-100", "101-200");
    assertThat(keptNumbers()).hasSize(150);
  }

  @Test
  void whereNothingIsTooManyNothingIsExported() throws IOException {
    node.retention.run();
    addUpTo(249);
    node.retention.run();
    assertThat(node.files).isEmpty();
    assertThat(keptNumbers()).hasSize(249);
  }

  @Test
  void whatIsInUseStaysUntilItIsNot() throws IOException {
    addUpTo(400);
    inUse.add(value(7));
    node.retention.run();
    assertThat(keptNumbers()).hasSize(201).contains(7L, 201L);
    assertThat(node.files.get("1-100")).contains(value(7));
    inUse.clear();
    node.retention.run();
    assertThat(keptNumbers()).hasSize(200).doesNotContain(7L);
    assertThat(node.files.get("1-100")).hasSize(100);
  }

  @Test
  void whatMayBeAskedForStaysWithAllThatIsNewer() throws IOException {
    addUpTo(500);
    askedFor.add(value(150));
    node.retention.run();
    assertThat(keptNumbers()).hasSize(400).contains(101L);
    askedFor.clear();
    node.retention.run();
    assertThat(keptNumbers()).hasSize(200);
  }

  @Test
  void whatCannotBeReadKeepsItsBlock() throws IOException {
    addUpTo(500);
    store.makeUnreadable("150");
    node.retention.run();
    assertThat(node.files.keySet()).containsExactly("1-100", "201-300");
    assertThat(keptNumbers()).hasSize(300).contains(101L, 150L, 200L);
  }

  @Test
  void whereTheDiskIsFullNothingGoes() throws IOException {
    addUpTo(500);
    node.isFull = true;
    assertThatThrownBy(node.retention::run).isInstanceOf(IOException.class);
    assertThat(keptNumbers()).hasSize(500);
    node.isFull = false;
    node.retention.run();
    assertThat(keptNumbers()).hasSize(200);
  }

  @Test
  void aCrashAtAnyWriteLosesNothing() throws IOException {
    addUpTo(351);
    // Of two blocks: two notes, and two hundred that are removed.
    for (long writes = 0; writes <= 202; writes += 1 + writes / 7) {
      writesLeft = writes;
      try {
        node.retention.run();
      } catch (Killed atThisWrite) {
        assertThat(writesLeft).isNegative();
      }
      mustHaveAll(351, List.of(node));
      writesLeft = Long.MAX_VALUE;
      node.start();
    }
    node.retention.run();
    assertThat(keptNumbers()).hasSize(151);
    assertThat(node.files.get("1-100")).hasSize(100);
    assertThat(node.files.get("101-200")).hasSize(100);
  }

  @Test
  void anotherNodeThatRemovesWhatIsBeingExportedIsNoticed() throws IOException {
    Node other = new Node("n2");
    addUpTo(250);
    other.whileWriting =
        () -> {
          other.whileWriting = () -> {};
          try {
            node.retention.run();
          } catch (IOException full) {
            throw new AssertionError(full);
          }
        };
    other.retention.run();
    assertThat(node.files.get("1-100")).hasSize(100);
    assertThat(other.files).isEmpty();
    assertThat(keptNumbers()).hasSize(150);
  }

  /** What is kept and what is exported is all, none of it altered, whatever happens when. */
  @Test
  void whateverHappensNothingIsLost() {
    for (int seed = 0; seed < 25; seed++) {
      new RecordRetentionTest().live(new Random(seed), "seed " + seed);
    }
  }

  private void live(Random random, String as) {
    List<Node> nodes = List.of(node, new Node("n2"), new Node("n3"));
    long added = 0;
    for (int step = 0; step < 60; step++) {
      Node one = nodes.get(random.nextInt(nodes.size()));
      Node another = nodes.get(random.nextInt(nodes.size()));
      switch (random.nextInt(6)) {
        case 0:
        case 1:
          long last = added + random.nextInt(120);
          for (; added < last; added++) {
            assertThat(one.records.add(one.records.newest() + 1, value(added + 1))).as(as).isTrue();
          }
          break;
        case 2:
          kept = 10 + random.nextInt(300);
          break;
        case 3:
          inUse.clear();
          askedFor.clear();
          // As drafts and requests: of what is there.
          keptNumbers().stream()
              .skip(random.nextInt(1 + (int) added))
              .findFirst()
              .ifPresent(number -> (random.nextBoolean() ? inUse : askedFor).add(value(number)));
          break;
        case 4:
          one.isFull = random.nextBoolean();
          break;
        default:
          long later = random.nextInt(300);
          one.whileWriting = later < 100 && one != another ? once(one, another) : () -> {};
          writesLeft = random.nextBoolean() ? random.nextInt(150) : Long.MAX_VALUE;
          run(one);
          writesLeft = Long.MAX_VALUE;
          one.whileWriting = () -> {};
      }
      mustHaveAll(added, nodes);
      for (Node each : nodes) {
        assertThat(each.records.newest()).as(as).isEqualTo(added);
      }
    }
    kept = 50;
    inUse.clear();
    askedFor.clear();
    node.isFull = false;
    run(node);
    run(node);
    assertThat(keptNumbers()).as(as).hasSizeLessThan(kept + NumberedRecords.BLOCK);
    mustHaveAll(added, nodes);
  }

  private Runnable once(Node one, Node another) {
    return () -> {
      one.whileWriting = () -> {};
      run(another);
    };
  }

  private static void run(Node one) {
    try {
      one.retention.run();
    } catch (IOException full) {
      assertThat(one.isFull).isTrue();
    } catch (Killed atAWrite) {
      one.start();
    }
  }

  private void mustHaveAll(long added, List<Node> nodes) {
    Set<String> written =
        nodes.stream().flatMap(each -> each.lines().stream()).collect(Collectors.toSet());
    for (long number = 1; number <= added; number++) {
      String value = value(number);
      boolean isThere =
          store
              .find(Long.toString(number))
              .map(value::equals)
              .orElseGet(() -> written.contains(value) && !inUse.contains(value));
      if (!isThere) {
        throw new AssertionError(value);
      }
    }
    assertThat(keptNumbers()).hasSizeGreaterThanOrEqualTo((int) Math.min(added, 10));
    for (Node each : nodes) {
      each.files.forEach(
          (name, lines) -> assertThat(lines).as(name).hasSize(NumberedRecords.BLOCK));
    }
  }
}
