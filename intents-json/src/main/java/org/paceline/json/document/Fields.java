package org.paceline.json.document;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The members of one kind of object: what each is called, what reads it and whether it must be
 * there. Reads one object after the other.
 */
public final class Fields {
  /** Reads a member's value; empty where it has a fault. */
  public interface Value<T> {
    Optional<T> read(JsonCursor json) throws IOException;
  }

  /** A member of the object that was read last. */
  public static final class Field<T> {
    private final Value<T> reader;
    private final Optional<T> otherwise;
    private final boolean isNeeded;
    private Optional<T> value = Optional.empty();
    private boolean isThere;

    private Field(Value<T> reader, Optional<T> otherwise, boolean isNeeded) {
      this.reader = reader;
      this.otherwise = otherwise;
      this.isNeeded = isNeeded;
    }

    /** Empty where it is not there, and has nothing in its place, or has a fault. */
    public Optional<T> value() {
      return value;
    }

    public T get() {
      return value.orElseThrow();
    }

    private void forget() {
      value = otherwise;
      isThere = false;
    }

    private void read(JsonCursor json) throws IOException {
      isThere = true;
      value = reader.read(json);
    }
  }

  private final JsonCursor json;
  private final Map<String, Field<?>> fields = new LinkedHashMap<>();

  public Fields(JsonCursor json) {
    this.json = json;
  }

  private <T> Field<T> field(String name, Field<T> field) {
    fields.put(name, field);
    return field;
  }

  public <T> Field<T> needed(String name, Value<T> reader) {
    return field(name, new Field<>(reader, Optional.empty(), true));
  }

  /** A member that may be left out. */
  public <T> Field<T> maybe(String name, Value<T> reader) {
    return field(name, new Field<>(reader, Optional.empty(), false));
  }

  /** A member that has a value where it is left out. */
  public <T> Field<T> or(T otherwise, String name, Value<T> reader) {
    return field(name, new Field<>(reader, Optional.of(otherwise), false));
  }

  /** A member for people. */
  public Fields remark(String name) {
    fields.put(
        name,
        new Field<>(
            cursor -> {
              cursor.skip();
              return Optional.empty();
            },
            Optional.empty(),
            false));
    return this;
  }

  /** A member that earlier versions knew: it is passed over with a warning that says this of it. */
  public Fields dropped(String name, String why) {
    fields.put(
        name,
        new Field<>(
            cursor -> {
              cursor.warn(why);
              cursor.skip();
              return Optional.empty();
            },
            Optional.empty(),
            false));
    return this;
  }

  /** Reads an object; one fault names all that it lacks. False where there is none. */
  public boolean read() throws IOException {
    fields.values().forEach(Field::forget);
    String place = json.place();
    if (!json.object(this::member)) {
      return false;
    }
    List<String> missing = new ArrayList<>(0);
    fields.forEach(
        (name, field) -> {
          if (field.isNeeded && !field.isThere) {
            missing.add(name);
          }
        });
    if (!missing.isEmpty()) {
      json.faultAt(place, "lacks " + String.join(", ", missing) + ".");
    }
    return true;
  }

  private boolean member(String name) throws IOException {
    Field<?> field = fields.get(name);
    if (field == null) {
      return false;
    }
    field.read(json);
    return true;
  }

  /** Whether all these have a value. */
  public static boolean have(Field<?>... fields) {
    for (Field<?> field : fields) {
      if (field.value.isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
