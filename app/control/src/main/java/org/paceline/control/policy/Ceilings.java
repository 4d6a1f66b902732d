package org.paceline.control.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Role;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;
import org.paceline.control.port.Records;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.unit.DataRate;

/**
 * The ceilings of branches: set by an admin, each step in the log of changes. They bind those who
 * hold no role but that of a branch: in what concerns a node, by the ceiling of the node and by
 * those of all branches above it.
 */
public final class Ceilings {
  /** Of each link in percent, where no ceiling of a delegated branch, or above it, says it. */
  private static final int USUAL_SHARE = 50;

  private static final Duration USUAL_DURATION = Duration.ofDays(7);
  private static final int USUAL_PRIORITY = 10;

  private final Records<Ceiling> records;
  private final ChangeLog changes;
  private final Predicate<IntentPath> isKnown;
  private volatile Predicate<SchemeName> rulesPlaces = scheme -> false;

  /**
   * @param isKnown whether the tree in force has a node
   */
  public Ceilings(Records<Ceiling> records, ChangeLog changes, Predicate<IntentPath> isKnown) {
    this.records = records;
    this.changes = changes;
    this.isKnown = isKnown;
  }

  /**
   * Schemes that rule places count, too: below a branch that leaves the choice to the root, what
   * they divide by is a matter of all others there.
   */
  public void heed(Predicate<SchemeName> ofPlaces) {
    rulesPlaces = ofPlaces;
  }

  /** What holds for a delegated branch where no ceiling says anything else. */
  public static Ceiling usual(IntentPath branch) {
    return Ceiling.of(branch)
        .sharePercent(Optional.of(USUAL_SHARE))
        .duration(Optional.of(USUAL_DURATION))
        .priority(Optional.of(USUAL_PRIORITY))
        .build();
  }

  /** In the order of their branches. */
  public List<Ceiling> all() {
    return new TreeSet<>(records.keys())
        .stream()
            .map(records::find)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableList());
  }

  public Optional<Ceiling> find(IntentPath branch) {
    return records.find(branch.toString());
  }

  /**
   * Puts a ceiling in the place of the branch's. What is reserved above it stays.
   *
   * @param body what was sent to ask for it
   * @throws IllegalArgumentException if the tree has no such branch
   */
  public synchronized Ceiling set(Author author, String body, Ceiling ceiling) {
    Optional<Ceiling> before = find(ceiling.branch());
    if (before.equals(Optional.of(ceiling))) {
      return ceiling;
    }
    if (!isKnown.test(ceiling.branch())) {
      throw new IllegalArgumentException(
          "There is no intent ("
              + ceiling.branch()
              + ") whose ceiling could be set. Maybe the list of intents names the one you mean.");
    }
    return changes.carryOut(
        author,
        subject(ceiling.branch()),
        "The ceiling of (" + ceiling.branch() + ") is set.",
        body,
        before.map(Ceiling::toString).orElse(""),
        ceiling.toString(),
        at -> {
          records.replace(ceiling.branch().toString(), ceiling);
          return ceiling;
        });
  }

  /** Whether there was one to remove. */
  public synchronized boolean remove(Author author, String body, IntentPath branch) {
    return find(branch)
        .map(
            before ->
                changes.carryOut(
                    author,
                    subject(branch),
                    "The ceiling of (" + branch + ") is removed.",
                    body,
                    before.toString(),
                    "",
                    at -> {
                      records.remove(branch.toString());
                      return true;
                    }))
        .orElse(false);
  }

  private static Subject subject(IntentPath branch) {
    return Subject.of(Subject.Kind.CEILING, branch.toString());
  }

  /** Whether this change set the ceiling, or removed it. */
  public boolean isMade(PendingChange change) {
    return records
        .find(change.subject().key())
        .map(Ceiling::toString)
        .orElse("")
        .equals(change.change().after());
  }

  /** What binds this user in what concerns a node; nothing binds an operator of the whole tree. */
  public List<Ceiling> binding(User who, IntentPath node) {
    if (who.holds(Role.OPERATOR)) {
      return List.of();
    }
    List<Ceiling> binding =
        all().stream()
            .filter(ceiling -> node.isWithin(ceiling.branch()))
            .collect(Collectors.toCollection(ArrayList::new));
    who.branchOf(node).flatMap(branch -> usual(branch, binding)).ifPresent(binding::add);
    return binding;
  }

  /** Of the usual ceiling, what none of those says that bind the whole branch. */
  private static Optional<Ceiling> usual(IntentPath branch, List<Ceiling> said) {
    List<Ceiling> whole =
        said.stream()
            .filter(ceiling -> branch.isWithin(ceiling.branch()))
            .collect(Collectors.toUnmodifiableList());
    Ceiling usual = usual(branch);
    Optional<Integer> share = unless(whole, Ceiling::sharePercent, usual.sharePercent());
    Optional<Duration> duration = unless(whole, Ceiling::duration, usual.duration());
    Optional<Integer> priority = unless(whole, Ceiling::priority, usual.priority());
    return Stream.of(share, duration, priority).allMatch(Optional::isEmpty)
        ? Optional.empty()
        : Optional.of(
            Ceiling.of(branch).sharePercent(share).duration(duration).priority(priority).build());
  }

  private static <T> Optional<T> unless(
      List<Ceiling> said, Function<Ceiling, Optional<T>> member, Optional<T> usual) {
    return said.stream().anyMatch(ceiling -> member.apply(ceiling).isPresent())
        ? Optional.empty()
        : usual;
  }

  /**
   * A priority above the ceiling that was there already may stay; none is raised above it, neither
   * of a node that is changed nor of one that inherits from it.
   *
   * @param changed the nodes in which the trees differ
   * @throws Denied with the ceiling, the fixed rate, the weight of the class or what is reserved,
   *     if the user may not put the other tree in force
   */
  public void mustAllow(User who, IntentTree now, IntentTree next, Set<IntentPath> changed) {
    if (who.holds(Role.OPERATOR)) {
      return;
    }
    Set<IntentPath> nodes = new TreeSet<>(now.policies().keySet());
    nodes.addAll(next.policies().keySet());
    nodes.removeIf(node -> changed.stream().noneMatch(node::isWithin));
    for (IntentPath node : nodes) {
      int priority = priority(next, node);
      if (priority > priority(now, node)) {
        mustAllow(who, node, priority);
      }
      mustNotFix(who, now.resolve(node), next.resolve(node));
      mustNotWeigh(who, now.resolve(node), next.resolve(node));
      mustNotReserve(who, now.resolve(node), next.resolve(node));
      mustNotLetGo(who, now.resolve(node), next.resolve(node));
    }
  }

  /** What is fixed is taken before the others share, so it is no matter of one branch. */
  private static void mustNotFix(User who, EffectivePolicy now, EffectivePolicy next) {
    if (fixedRate(next).compareTo(fixedRate(now)) > 0) {
      throw new Denied(
          "The scheme "
              + SchemeName.FIXED_RATE.word()
              + " gives conversations of ("
              + next.asked()
              + ") "
              + fixedRate(next)
              + " before others share a link, and ("
              + who.name()
              + ") may change a branch only. Maybe ask an operator of all intents.");
    }
  }

  /**
   * What a class has more by its weight, other classes have less, wherever they are in the tree.
   */
  private void mustNotWeigh(User who, EffectivePolicy now, EffectivePolicy next) {
    if (weight(next) > weight(now)) {
      throw new Denied(
          "The scheme "
              + SchemeName.SERVICE_CLASSES.word()
              + " gives conversations of ("
              + next.asked()
              + ") the weight "
              + weight(next)
              + " beside those of other branches, and ("
              + who.name()
              + ") may change a branch only. Maybe ask an operator of all intents.");
    }
  }

  /**
   * What conversations of one branch reserve, and what they borrow of each other, is gone for those
   * of others.
   */
  private void mustNotReserve(User who, EffectivePolicy now, EffectivePolicy next) {
    boolean isNew = isReserving(next) && !isReserving(now);
    if (isNew || reserved(next).compareTo(reserved(now)) > 0) {
      throw new Denied(
          "The scheme "
              + SchemeName.ADAPTIVE_RESERVATIONS.word()
              + " reserves "
              + reserved(next)
              + " for each conversation of ("
              + next.asked()
              + ") before those of other branches, and ("
              + who.name()
              + ") may change a branch only. Maybe ask an operator of all intents.");
    }
  }

  /** Whoever is held to no rate leaves others what their queue guarantees, and no more. */
  private static void mustNotLetGo(User who, EffectivePolicy now, EffectivePolicy next) {
    if (isLetGo(next) && !isLetGo(now)) {
      throw new Denied(
          "The scheme "
              + SchemeName.ELEPHANT_ISOLATION.word()
              + " holds conversations of ("
              + next.asked()
              + ") to no rate, beside those of other branches, and ("
              + who.name()
              + ") may change a branch only. Maybe ask an operator of all intents.");
    }
  }

  private static boolean isLetGo(EffectivePolicy policy) {
    return policy.scheme().value() == SchemeName.ELEPHANT_ISOLATION;
  }

  private boolean isReserving(EffectivePolicy policy) {
    return canBeRuledBy(SchemeName.ADAPTIVE_RESERVATIONS, policy);
  }

  /** At some place, or everywhere. */
  private boolean canBeRuledBy(SchemeName scheme, EffectivePolicy policy) {
    return policy.scheme().value() == scheme
        || rulesPlaces.test(scheme) && policy.at(scheme).scheme().value() == scheme;
  }

  private DataRate reserved(EffectivePolicy policy) {
    return isReserving(policy)
        ? policy.minimumRate().map(Sourced::value).orElse(DataRate.ZERO)
        : DataRate.ZERO;
  }

  private int weight(EffectivePolicy policy) {
    return canBeRuledBy(SchemeName.SERVICE_CLASSES, policy) ? policy.classWeight().value() : 0;
  }

  private static DataRate fixedRate(EffectivePolicy policy) {
    return policy.scheme().value() == SchemeName.FIXED_RATE
        ? policy.maximumRate().map(Sourced::value).orElse(DataRate.ZERO)
        : DataRate.ZERO;
  }

  private void mustAllow(User who, IntentPath node, int priority) {
    for (Ceiling ceiling : binding(who, node)) {
      if (ceiling.priority().filter(most -> priority > most).isPresent()) {
        throw new Denied(
            "The priority ("
                + priority
                + ") of ("
                + node
                + ") is above the ceiling of ("
                + ceiling.branch()
                + "), which is "
                + ceiling.priority().get()
                + " for ("
                + who.name()
                + "). Maybe give it no more, or ask an admin for another ceiling.");
      }
    }
  }

  private static int priority(IntentTree tree, IntentPath node) {
    return tree.resolve(node.toString()).priority().value();
  }
}
