package org.paceline.intents.document;

import com.google.auto.value.AutoValue;

/** How much a document may hold. */
@AutoValue
public abstract class DocumentLimits {
  private static final int DEPTH = 64;
  private static final int ANCHORS = 1_000;

  /** No unit of ours needs more digits, and an exponent says the rest. */
  private static final int NUMBER = 40;

  /** What somebody sends over the network, and waits for. */
  public static final DocumentLimits REQUEST = of(4 << 20, 200_000, 10_000, 1 << 16);

  /** A request where a few members say what to do, and no tree or problem is sent. */
  public static final DocumentLimits COMMAND = of(4 << 20, 10_000, 10_000, 1 << 16);

  /** A request in YAML, which takes some ten times as long to read as JSON. */
  public static final DocumentLimits YAML_REQUEST = of(4 << 20, 20_000, 10_000, 1 << 16);

  /** The configuration of a host agent and its rules. */
  public static final DocumentLimits CONFIGURATION = of(1 << 20, 100_000, 10_000, 1 << 12);

  /** One line that an application sends to the agent of its host. */
  public static final DocumentLimits LINE = of(1 << 12, 1_000, 1_000, 1 << 10);

  /** A file of problems or solutions, which somebody reads on their own machine. */
  public static final DocumentLimits FILE = of(256 << 20, 200_000_000, 10_000_000, 1 << 20);

  /** The whole document. */
  public abstract int bytes();

  /** Values, keys included, with every alias written out. */
  public abstract int values();

  /** Of one object: what there are many of stands in a list. */
  public abstract int members();

  /** Characters of one text. */
  public abstract int text();

  /** Characters of one number. */
  public int number() {
    return NUMBER;
  }

  /** Objects and lists in one another. */
  public int depth() {
    return DEPTH;
  }

  /** Anchors of YAML: who writes by hand names a few parts, and a program none. */
  public int anchors() {
    return ANCHORS;
  }

  private static DocumentLimits of(int bytes, int values, int members, int text) {
    return new AutoValue_DocumentLimits(bytes, values, members, text);
  }
}
