package org.paceline.intents.document;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Bounds what a document holds. Whoever reads one tells it each event of the parser, in order and
 * before anything is made of it; the first that goes too far is refused. An alias of YAML counts as
 * much as what its anchor stands for, so that a document is as large as if it had none.
 *
 * <p>O(1) for each event but for a text, whose characters are looked at; memory for the keys of the
 * objects that are open.
 */
public final class DocumentGuard {
  private final DocumentLimits limits;
  private final Deque<Level> open = new ArrayDeque<>();
  private final Map<String, Size> anchors = new HashMap<>();
  private Optional<String> anchor = Optional.empty();
  private int anchorsRead;
  private long values;
  private long characters;

  public DocumentGuard(DocumentLimits limits) {
    this.limits = limits;
  }

  /** What comes next has this anchor, to which aliases may refer. */
  public void anchor(String name) {
    if (++anchorsRead > limits.anchors()) {
      throw refused(
          "has more than "
              + limits.anchors()
              + " anchors. Maybe it is not the document you meant.");
    }
    anchor = Optional.of(name);
  }

  public void beginObject() {
    begin(true);
  }

  public void beginList() {
    begin(false);
  }

  private void begin(boolean isObject) {
    mustNotBeKey("an object or a list");
    count(1, 0);
    if (open.size() >= limits.depth()) {
      throw tooDeep();
    }
    Level level = new Level(isObject, anchor, values, characters);
    // An alias inside it would stand for itself.
    anchor.ifPresent(anchors::remove);
    anchor = Optional.empty();
    open.push(level);
  }

  /** The object or list that was begun last. */
  public void end() {
    Level ended = open.pop();
    ended.anchor.ifPresent(
        name ->
            anchors.put(
                name,
                new Size(
                    1 + values - ended.valuesBefore,
                    characters - ended.charactersBefore,
                    1 + ended.height)));
    rise(1 + ended.height);
    passed();
  }

  /** A text, or the key of an object. */
  public void text(String text) {
    text(text, text.length());
  }

  /**
   * @param sample the text, or its beginning where it is longer than anybody reads
   * @param length of the whole
   */
  public void text(String sample, int length) {
    if (length > limits.text()) {
      throw refused(
          "holds a text of "
              + length
              + " characters, "
              + Quoted.of(sample)
              + ", where at most "
              + limits.text()
              + " are read. Maybe it is not the document you meant.");
    }
    mustBeWhole(sample);
    Level around = open.peek();
    if (around != null && around.isAtKey()) {
      count(1, length);
      around.key = sample;
      around.isKeyRead = true;
      anchor = Optional.empty();
      if (!around.keys.add(sample)) {
        throw refused("is given twice. Maybe remove one of the two.");
      }
      if (around.keys.size() > limits.members()) {
        throw refused(
            "is one more than the "
                + limits.members()
                + " members that an object may have. Maybe it is not the document you meant.");
      }
      return;
    }
    scalar(length);
  }

  /**
   * A number, before it is made one.
   *
   * @param sample its characters, or the first of them where it has more than a number may have
   * @param length of the whole
   */
  public void number(String sample, int length) {
    if (length > limits.number()) {
      throw refused(
          "holds a number of "
              + length
              + " characters, "
              + Quoted.printable(sample.substring(0, Math.min(sample.length(), limits.number())))
              + "..., where at most "
              + limits.number()
              + " are read. Maybe write it with an exponent, or check its unit.");
    }
    Level around = open.peek();
    if (around != null && around.isAtKey()) {
      text(sample, length);
    } else {
      scalar(length);
    }
  }

  /** True, false or nothing. */
  public void word() {
    scalar(0);
  }

  /** What the anchor of this name stands for, once more. */
  public void alias(String name) {
    mustNotBeKey("an alias");
    Size size = anchors.get(name);
    if (size == null) {
      throw refused(
          "holds the alias "
              + Quoted.of(name)
              + " of what is not there, or of what it is a part of itself. Maybe write it out.");
    }
    if (open.size() + size.height > limits.depth()) {
      throw tooDeep();
    }
    count(size.values, size.characters);
    rise(size.height);
    passed();
  }

  private void scalar(int length) {
    count(1, length);
    anchor.ifPresent(name -> anchors.put(name, new Size(1, length, 0)));
    anchor = Optional.empty();
    passed();
  }

  private void count(long moreValues, long moreCharacters) {
    values += moreValues;
    characters += moreCharacters;
    if (values > limits.values() || characters > limits.bytes()) {
      throw new DocumentRefused(
          "",
          "holds more than "
              + (values > limits.values()
                  ? limits.values() + " values"
                  : limits.bytes() + " characters")
              + ", its aliases written out. Maybe it is not the one you meant.");
    }
  }

  private void mustNotBeKey(String what) {
    Level around = open.peek();
    if (around != null && around.isAtKey()) {
      throw refused("has " + what + " for a key. Maybe write a word.");
    }
  }

  private void mustBeWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      if (i + 1 == text.length()
          || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
        throw refused(
            String.format(
                "holds half a character, \\u%04x. Maybe its other half was cut off.",
                (int) text.charAt(i)));
      }
      i++;
    }
  }

  private void passed() {
    Optional.ofNullable(open.peek()).ifPresent(Level::passed);
  }

  private void rise(int height) {
    Optional.ofNullable(open.peek())
        .ifPresent(level -> level.height = Math.max(level.height, height));
  }

  private DocumentRefused tooDeep() {
    return refused(
        "is nested more than "
            + limits.depth()
            + " levels deep. Maybe it is not the document you meant.");
  }

  private DocumentRefused refused(String reason) {
    StringBuilder place = new StringBuilder();
    for (Iterator<Level> i = open.descendingIterator(); i.hasNext(); ) {
      place.append('/').append(i.next().at());
    }
    return new DocumentRefused(Quoted.shortened(place.toString()), reason);
  }

  /** What an anchor stands for. */
  private static final class Size {
    private final long values;
    private final long characters;
    private final int height;

    Size(long values, long characters, int height) {
      this.values = values;
      this.characters = characters;
      this.height = height;
    }
  }

  /** An object or a list that is open. */
  private static final class Level {
    private final boolean isObject;
    private final Optional<String> anchor;
    private final long valuesBefore;
    private final long charactersBefore;
    private final Set<String> keys;
    private String key = "";
    private boolean isKeyRead;
    private int index;
    private int height;

    Level(boolean isObject, Optional<String> anchor, long valuesBefore, long charactersBefore) {
      this.isObject = isObject;
      this.keys = isObject ? new HashSet<>() : Set.of();
      this.anchor = anchor;
      this.valuesBefore = valuesBefore;
      this.charactersBefore = charactersBefore;
    }

    boolean isAtKey() {
      return isObject && !isKeyRead;
    }

    /** A value came to its end. */
    void passed() {
      isKeyRead = false;
      index++;
    }

    String at() {
      return isObject
          ? Quoted.printable(key).replace("~", "~0").replace("/", "~1")
          : Integer.toString(index);
    }
  }
}
