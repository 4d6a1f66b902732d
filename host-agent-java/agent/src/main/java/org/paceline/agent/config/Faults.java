package org.paceline.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.paceline.intents.document.Quoted;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Gathers everything that is wrong with a file, so that one reading shows it all. */
public final class Faults {
  private final String file;
  private final List<String> messages = new ArrayList<>();

  public Faults(String file) {
    this.file = file;
  }

  public void add(Mark place, String message) {
    messages.add(place(place) + ": " + Quoted.clipped(message));
  }

  public void add(String message) {
    messages.add(file + ": " + Quoted.clipped(message));
  }

  /** Takes over what was found in a file that this one names. */
  public void addAll(FaultyFile other) {
    messages.addAll(other.faults());
  }

  public String place(Mark mark) {
    return file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
  }

  /** What {@code parse} makes of the text, or nothing and a fault at its place. */
  public <T> Optional<T> attempt(Mark place, String text, Function<String, T> parse) {
    try {
      return Optional.of(parse.apply(text));
    } catch (IllegalArgumentException e) {
      add(place, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  public List<String> messages() {
    return List.copyOf(messages);
  }

  /** Ends the reading where anything was found. */
  public void throwIfAny() {
    if (!messages.isEmpty()) {
      throw new FaultyFile(messages);
    }
  }
}
