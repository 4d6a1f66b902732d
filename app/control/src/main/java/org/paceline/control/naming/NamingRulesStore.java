package org.paceline.control.naming;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Subject;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.port.Records;
import org.paceline.control.work.Each;

/**
 * The naming rules in force, one version after the other, each in the log of changes. A version is
 * made when its record is written, under a number that nobody else can take.
 */
public final class NamingRulesStore {
  private final Records<NamingRules> versions;
  private final IntentPolicies policies;
  private final ChangeLog changes;
  private final Function<NamingRules, String> text;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** The rules, and the how-manieth they are; 0 where none were ever set. */
  @AutoValue
  public abstract static class Version {
    public abstract long number();

    public abstract NamingRules rules();
  }

  /**
   * @param text how the log of changes shows rules
   */
  public NamingRulesStore(
      Records<NamingRules> versions,
      IntentPolicies policies,
      ChangeLog changes,
      Function<NamingRules, String> text) {
    this.versions = versions;
    this.policies = policies;
    this.changes = changes;
    this.text = text;
  }

  /** Told when others are in force: it must not wait for anything. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  public synchronized Version inForce() {
    long newest = versions.keys().stream().mapToLong(Long::parseLong).max().orElse(0);
    return new AutoValue_NamingRulesStore_Version(
        newest, versions.find(Long.toString(newest)).orElse(NamingRules.NONE));
  }

  /** What is odd in the rules in force, for a person. */
  public List<String> warnings() {
    return inForce().rules().warnings(intent -> policies.tree().contains(intent));
  }

  /**
   * Puts these rules in the place of all before; where nothing differs there is no new version.
   *
   * @param body what was sent to ask for it
   * @param seen the version that the author has seen; empty for whichever is in force
   * @throws IllegalArgumentException if a rule names an intent that the tree does not have
   * @throws Refused if another version is in force than the author has seen
   */
  public Version set(Author author, String body, NamingRules rules, OptionalLong seen) {
    for (NamingRule rule : rules.rules()) {
      rule.intent().ifPresent(intent -> policies.mustKnow(intent.toString()));
    }
    Version made = put(author, body, rules, seen);
    forget(made.number() - 2);
    Each.of(listeners, Runnable::run);
    return made;
  }

  /** The one before stays for who reads at this moment. */
  private void forget(long number) {
    try {
      versions.remove(Long.toString(number));
    } catch (RuntimeException storeIsAway) {
      // Others are in force all the same; the next change takes the next one away.
    }
  }

  private synchronized Version put(
      Author author, String body, NamingRules rules, OptionalLong seen) {
    Version before = inForce();
    if (before.rules().equals(rules)) {
      return before;
    }
    if (seen.isPresent() && seen.getAsLong() != before.number()) {
      throw new Refused(
          "The naming rules are of version "
              + before.number()
              + ", and the request is about version "
              + seen.getAsLong()
              + ". Maybe look at them again.");
    }
    long number = before.number() + 1;
    return changes.carryOut(
        author,
        Subject.of(Subject.Kind.NAMING_RULES, Long.toString(number)),
        "The naming rules are replaced.",
        body,
        text.apply(before.rules()),
        text.apply(rules),
        at -> {
          if (!versions.add(Long.toString(number), rules)) {
            throw new Refused(
                "Another node of the cluster changed the naming rules at the same moment. Maybe"
                    + " look at them and try again.");
          }
          return new AutoValue_NamingRulesStore_Version(number, rules);
        });
  }

  /** Whether this change put its rules in force. */
  public boolean isMade(PendingChange change) {
    Optional<NamingRules> made = versions.find(change.subject().key());
    return made.map(text).filter(change.change().after()::equals).isPresent();
  }
}
