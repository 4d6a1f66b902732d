package org.paceline.control.settings;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.function.UnaryOperator;

/** One thing that an operator can set: what it is for, its default, and what it may be. */
@AutoValue
public abstract class Setting {
  private static final int SHOWN = 100;

  /** What the text of a value stands for. */
  public enum Kind {
    /** A whole number. */
    NUMBER,
    /** true or false. */
    YES_OR_NO,
    /** One of a few words. */
    WORD,
    /** Anything else. */
    TEXT
  }

  public abstract String name();

  public abstract Kind kind();

  public abstract String byDefault();

  /** For people: what it is for, as a sentence without its full stop. */
  public abstract String meaning();

  /** For people: what it may be, as it follows "must be". */
  public abstract String takes();

  /** A value that would do. */
  public abstract String example();

  /** Of a number, besides 0 where that is {@link #isZeroAllowed}. */
  public abstract int least();

  public abstract int greatest();

  /** Whether a number may be 0, though that is below the least: it switches something off. */
  public abstract boolean isZeroAllowed();

  /** Of a word, what it may be. */
  public abstract List<String> words();

  /** Whether a new value waits until the application starts again. */
  public abstract boolean isReadAtStart();

  /**
   * The text in the form that is stored; throws IllegalArgumentException for what it may not be.
   */
  abstract UnaryOperator<String> form();

  /**
   * The value in the form that is stored.
   *
   * @throws IllegalArgumentException that names the setting, the value and what it may be
   */
  public String read(String text) {
    String trimmed = text.trim();
    try {
      return form().apply(trimmed);
    } catch (IllegalArgumentException e) {
      String shown = trimmed.length() > SHOWN ? trimmed.substring(0, SHOWN) + "..." : trimmed;
      throw new IllegalArgumentException(
          "The " + name() + " (" + shown + ") must be " + takes() + ". Maybe " + example() + ".",
          e);
    }
  }

  Setting readAtStart() {
    return toBuilder().isReadAtStart(true).build();
  }

  static Setting number(String name, int byDefault, int least, int greatest, String meaning) {
    return builder(name, Kind.NUMBER, meaning)
        .byDefault(Integer.toString(byDefault))
        .takes("a whole number from " + least + " to " + greatest)
        .example(Integer.toString(byDefault))
        .least(least)
        .greatest(greatest)
        .form(text -> within(text, least, greatest))
        .build();
  }

  /**
   * A number, or 0 to switch it off.
   *
   * @param example a number above 0
   */
  static Setting numberOrNone(
      String name, int byDefault, int least, int greatest, int example, String meaning) {
    return builder(name, Kind.NUMBER, meaning)
        .byDefault(Integer.toString(byDefault))
        .takes("0 for none, or a whole number from " + least + " to " + greatest)
        .example(Integer.toString(example))
        .least(least)
        .greatest(greatest)
        .isZeroAllowed(true)
        .form(text -> text.equals("0") ? text : within(text, least, greatest))
        .build();
  }

  /** Unless it is set, another setting says it. */
  static Setting numberOrAs(
      String other, String name, int least, int greatest, int example, String meaning) {
    return numberOrNone(name, 0, least, greatest, example, meaning).toBuilder()
        .takes("0 to go by " + other + ", or a whole number from " + least + " to " + greatest)
        .build();
  }

  static Setting yesOrNo(String name, boolean byDefault, String meaning) {
    return words(builder(name, Kind.YES_OR_NO, meaning), List.of("true", "false"), "" + byDefault);
  }

  static Setting word(String name, List<String> words, String byDefault, String meaning) {
    return words(builder(name, Kind.WORD, meaning), words, byDefault);
  }

  private static Setting words(Builder builder, List<String> words, String byDefault) {
    return builder
        .byDefault(byDefault)
        .takes("one of " + words)
        .example(byDefault)
        .words(words)
        .form(
            text -> {
              if (!words.contains(text)) {
                throw new IllegalArgumentException("It is none of them.");
              }
              return text;
            })
        .build();
  }

  /**
   * @param form the text as it is stored; throws IllegalArgumentException for what it may not be
   */
  static Setting text(
      String name,
      String byDefault,
      String meaning,
      String takes,
      String example,
      UnaryOperator<String> form) {
    return builder(name, Kind.TEXT, meaning)
        .byDefault(byDefault)
        .takes(takes)
        .example(example)
        .form(form)
        .build();
  }

  private static String within(String text, int least, int greatest) {
    int number = Integer.parseInt(text);
    if (number < least || number > greatest) {
      throw new IllegalArgumentException("It is out of its range.");
    }
    return Integer.toString(number);
  }

  private static Builder builder(String name, Kind kind, String meaning) {
    return new AutoValue_Setting.Builder()
        .name(name)
        .kind(kind)
        .meaning(meaning)
        .least(0)
        .greatest(0)
        .isZeroAllowed(false)
        .words(List.of())
        .isReadAtStart(false);
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder name(String name);

    abstract Builder kind(Kind kind);

    abstract Builder byDefault(String text);

    abstract Builder meaning(String meaning);

    abstract Builder takes(String takes);

    abstract Builder example(String example);

    abstract Builder least(int least);

    abstract Builder greatest(int greatest);

    abstract Builder isZeroAllowed(boolean isZeroAllowed);

    abstract Builder words(List<String> words);

    abstract Builder isReadAtStart(boolean isReadAtStart);

    abstract Builder form(UnaryOperator<String> form);

    abstract Setting build();
  }
}
