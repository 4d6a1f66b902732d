package org.paceline.yang.restconf.data;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * The {@code fields} parameter (RFC 8040, section 4.8.3): paths joined by semicolons, with more of
 * them in parentheses.
 */
final class FieldsExpression {
  private final String text;
  private int at;

  private FieldsExpression(String text) {
    this.text = text;
  }

  /** What is asked for below a node; nothing further down means all of it. */
  static final class Selection {
    private final Map<String, Selection> members = new LinkedHashMap<>();

    boolean isEverything() {
      return members.isEmpty();
    }

    /** What is wanted of a member, named with its module or without; empty for nothing of it. */
    Optional<Selection> of(String member) {
      if (isEverything()) {
        return Optional.of(this);
      }
      return Optional.ofNullable(
          members.getOrDefault(member, members.get(member.substring(member.indexOf(':') + 1))));
    }

    void forEach(BiConsumer<String, Selection> each) {
      members.forEach(each);
    }

    private Selection enter(String name) {
      return members.computeIfAbsent(name, n -> new Selection());
    }
  }

  static Selection parse(String text) {
    FieldsExpression expression = new FieldsExpression(text);
    Selection all = new Selection();
    expression.list(all);
    if (expression.at < text.length()) {
      throw expression.wrong();
    }
    return all;
  }

  private void list(Selection into) {
    path(into);
    while (take(';')) {
      path(into);
    }
  }

  private void path(Selection into) {
    Selection deepest = into.enter(name());
    while (take('/')) {
      deepest = deepest.enter(name());
    }
    if (take('(')) {
      list(deepest);
      if (!take(')')) {
        throw wrong();
      }
    }
  }

  private String name() {
    int from = at;
    while (at < text.length() && ";/()".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    if (from == at) {
      throw wrong();
    }
    return text.substring(from, at);
  }

  private boolean take(char expected) {
    boolean there = at < text.length() && text.charAt(at) == expected;
    at += there ? 1 : 0;
    return there;
  }

  private RestconfError wrong() {
    return RestconfError.invalid(
        "The fields ("
            + text
            + ") cannot be read at character "
            + (at + 1)
            + ". Maybe write a;b/c(d;e).");
  }
}
