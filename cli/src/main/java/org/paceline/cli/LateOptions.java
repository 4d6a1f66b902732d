package org.paceline.cli;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.support.converter.DefaultConverter;

/**
 * Options after the first argument. Karaf takes whatever stands there for an argument; so each
 * command with arguments has a last one that takes the surplus, and this sorts them anew.
 */
public final class LateOptions {
  /** Of the last argument, in each command's help. */
  public static final String NAME = "options";

  public static final String DESCRIPTION = "Options may stand after arguments, too";

  /** A negative number is none. */
  private static final Pattern OPTION = Pattern.compile("-[^0-9].*", Pattern.DOTALL);

  private final Object command;
  private final SortedMap<Integer, Field> arguments = new TreeMap<>();
  private final Map<String, Field> options = new TreeMap<>();

  private LateOptions(Object command) {
    this.command = command;
    for (Class<?> type = command.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        Argument argument = field.getAnnotation(Argument.class);
        if (argument != null) {
          arguments.put(argument.index(), field);
        }
        Option option = field.getAnnotation(Option.class);
        if (option != null) {
          options.put(option.name(), field);
        }
        if ((argument != null || option != null) && !Modifier.isPublic(field.getModifiers())) {
          field.setAccessible(true);
        }
      }
    }
  }

  /**
   * Sorts what Karaf took for arguments of the command into arguments and options.
   *
   * @throws IllegalArgumentException if there is no such option, if it lacks its value or that
   *     cannot be read, or if there are too many arguments or too few
   */
  static void sort(Object command) {
    LateOptions late = new LateOptions(command);
    if (!late.arguments.isEmpty()) {
      late.sort();
    }
  }

  private void sort() {
    List<String> left = withoutOptions();
    // Before the first argument Karaf knows options by itself: that one stays.
    int surplus = arguments.lastKey();
    for (int index = 1; index < surplus; index++) {
      Field field = argument(index);
      Argument argument = field.getAnnotation(Argument.class);
      if (left.isEmpty() && argument.required()) {
        throw new IllegalArgumentException(
            "The argument (" + argument.name() + ") is missing. Maybe --help shows an example.");
      }
      set(field, left.isEmpty() ? "" : left.remove(0));
    }
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          "The argument (" + left.get(0) + ") is one too many. Maybe --help shows an example.");
    }
    set(argument(surplus), List.of());
  }

  /** The arguments after the first. */
  private List<String> withoutOptions() {
    List<String> left = new ArrayList<>();
    for (Iterator<String> words = words().iterator(); words.hasNext(); ) {
      String word = words.next();
      if (OPTION.matcher(word).matches()) {
        option(word, words);
      } else {
        left.add(word);
      }
    }
    return left;
  }

  /** What Karaf took for arguments after the first. */
  private List<String> words() {
    List<String> words = new ArrayList<>();
    for (Field field : arguments.tailMap(1).values()) {
      Object value = get(field);
      if (value instanceof List) {
        ((List<?>) value).forEach(word -> words.add(String.valueOf(word)));
      } else if (!String.valueOf(value).isEmpty()) {
        words.add(String.valueOf(value));
      }
    }
    return words;
  }

  private void option(String word, Iterator<String> following) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    Field field = options.get(name);
    if (field == null) {
      throw new IllegalArgumentException(
          "There is no option (" + name + "). Maybe one of " + options.keySet() + ".");
    }
    if (equals >= 0) {
      take(field, name, word.substring(equals + 1));
    } else if (field.getType() == boolean.class) {
      set(field, true);
    } else if (following.hasNext()) {
      take(field, name, following.next());
    } else {
      throw new IllegalArgumentException("The option (" + name + ") lacks its value.");
    }
  }

  private void take(Field field, String name, String text) {
    if (field.getAnnotation(Option.class).multiValued()) {
      List<Object> all = new ArrayList<>((List<?>) get(field));
      all.add(text);
      set(field, all);
      return;
    }
    try {
      ClassLoader loader = command.getClass().getClassLoader();
      set(field, new DefaultConverter(loader).convert(text, field.getGenericType()));
    } catch (Exception unreadable) {
      // Karaf's converter declares no other.
      throw new IllegalArgumentException(
          "The value of " + name + " (" + text + ") cannot be read. Maybe it is no whole number.",
          unreadable);
    }
  }

  private Field argument(int index) {
    Field field = arguments.get(index);
    if (field == null) {
      throw new AssertionError(command.getClass() + " has no argument " + index);
    }
    return field;
  }

  private Object get(Field field) {
    try {
      return field.get(command);
    } catch (IllegalAccessException e) {
      throw new AssertionError(field + " was made accessible", e);
    }
  }

  private void set(Field field, Object value) {
    try {
      field.set(command, value);
    } catch (IllegalAccessException e) {
      throw new AssertionError(field + " was made accessible", e);
    }
  }
}
