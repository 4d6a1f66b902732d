package org.paceline.agent.peer;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.naming.Trait;

/**
 * The names of destinations, heard where rules ask for them and this process may: else no socket
 * has one, and the rules that ask do not match.
 */
public final class PeerNameCapture implements Closeable {
  private final long rules;
  private final DestinationNames names;
  private final Optional<NameTap> tap;
  private final String obstacle;

  private PeerNameCapture(
      long rules, DestinationNames names, Optional<NameTap> tap, String obstacle) {
    this.rules = rules;
    this.names = names;
    this.tap = tap;
    this.obstacle = obstacle;
  }

  public static PeerNameCapture open(RuleSet rules) {
    DestinationNames names = new DestinationNames(System::nanoTime);
    long asking = rules.asking(Trait.REMOTE_NAME);
    if (asking == 0) {
      return new PeerNameCapture(0, names, Optional.empty(), "");
    }
    try {
      return new PeerNameCapture(
          asking, names, Optional.of(NameTap.open(names, System::nanoTime)), "");
    } catch (IOException e) {
      return new PeerNameCapture(asking, names, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  public DestinationNames names() {
    return names;
  }

  /**
   * @param news told, from another thread, when there are names that were not taken yet
   */
  public void start(Runnable news) {
    tap.ifPresent(t -> t.start(news));
  }

  /** What is in the way, for a person; empty where all is heard that rules ask for. */
  public Optional<String> trouble() {
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
  public Optional<String> text() {
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
