package org.paceline.agent.application;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.paceline.agent.naming.Glob;
import org.paceline.intents.tree.IntentPath;

/**
 * What applications may say themselves.
 *
 * @param socket where they say it
 */
public record Allowances(Path socket, List<Allowance> allowances) {

  /**
   * @param user by name
   * @param intents that it may claim, each with all below it
   */
  public record Allowance(Glob user, List<IntentPath> intents) {
    public Allowance {
      intents = List.copyOf(intents);
    }
  }

  public Allowances {
    allowances = List.copyOf(allowances);
  }

  /** Every intent that is named, for the controller to know or refuse. */
  public Set<IntentPath> intents() {
    Set<IntentPath> intents = new TreeSet<>();
    allowances.forEach(one -> intents.addAll(one.intents()));
    return intents;
  }

  /**
   * @throws IllegalArgumentException where this applicant may not
   */
  public void requireIntent(Applicant by, IntentPath intent) {
    boolean allowed =
        by.isRoot()
            || allowances.stream()
                .anyMatch(
                    one ->
                        one.user().matches(by.user())
                            && one.intents().stream().anyMatch(intent::isWithin));
    if (!allowed) {
      throw new IllegalArgumentException(
          "The user ("
              + by.user()
              + ") may not claim the intent ("
              + intent
              + "). Maybe allow it under (applications) in the agent's configuration.");
    }
  }

  /**
   * @throws IllegalArgumentException where this applicant may not
   */
  public static void requireProcess(Applicant by, ProcessHandle process) {
    if (!by.isRoot() && !by.process().equals(process)) {
      throw new IllegalArgumentException(
          "The process ("
              + process.pid()
              + ") is not the one that asks ("
              + by.process().pid()
              + "), and only root speaks for others. Maybe leave (process) out.");
    }
  }
}
