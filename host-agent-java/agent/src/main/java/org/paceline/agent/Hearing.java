package org.paceline.agent;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.paceline.agent.destination.DestinationNames;
import org.paceline.agent.destination.NameTap;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.Trait;

/**
 * The names of destinations, heard where rules ask for them and this process may: else no socket
 * has one, and the rules that ask do not match.
 */
final class Hearing implements Closeable {
  private final long rules;
  private final DestinationNames names;
  private final Optional<NameTap> tap;
  private final String obstacle;

  private Hearing(long rules, DestinationNames names, Optional<NameTap> tap, String obstacle) {
    this.rules = rules;
    this.names = names;
    this.tap = tap;
    this.obstacle = obstacle;
  }

  static Hearing open(RuleSet rules) {
    DestinationNames names = new DestinationNames(System::nanoTime);
    long asking = rules.asking(Trait.REMOTE_NAME);
    if (asking == 0) {
      return new Hearing(0, names, Optional.empty(), "");
    }
    try {
      return new Hearing(asking, names, Optional.of(NameTap.open(names, System::nanoTime)), "");
    } catch (IOException e) {
      return new Hearing(asking, names, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  DestinationNames names() {
    return names;
  }

  /**
   * @param news told, from another thread, when there are names that were not taken yet
   */
  void start(Runnable news) {
    tap.ifPresent(t -> t.start(news));
  }

  /** What is in the way, for a person; empty where all is heard that rules ask for. */
  Optional<String> trouble() {
    boolean deaf = rules > 0 && tap.isEmpty();
    return deaf
        ? Optional.of(
            "names of destinations are not heard, and "
                + rules
                + " rules that ask for (remoteName) never match: "
                + obstacle)
        : Optional.empty();
  }

  /** For a person; empty where no rule asks. */
  Optional<String> text() {
    if (tap.isEmpty()) {
      return trouble();
    }
    return Optional.of(
        tap.get().isAlive()
            ? "names of destinations are heard: " + names.text()
            : "names of destinations are not heard any more. Maybe start the agent again");
  }

  @Override
  public void close() {
    tap.ifPresent(NameTap::close);
  }
}
