package org.paceline.control.api;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.User;
import org.paceline.control.inventory.IntentUse;
import org.paceline.control.inventory.NamedIntents;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.PolicyFile;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;

/** Where operators change one node of the intent tree; each change is a version of the policy. */
public final class IntentDesk {
  /** Whether nodes above that are missing come into being, too. */
  public enum Parents {
    MUST_BE_THERE,
    ARE_MADE
  }

  private final IntentPolicies policies;
  private final PolicyVersions versions;
  private final PolicyFile file;
  private final Supplier<NamedIntents> named;

  IntentDesk(
      IntentPolicies policies,
      PolicyVersions versions,
      PolicyFile file,
      Supplier<NamedIntents> named) {
    this.policies = policies;
    this.versions = versions;
    this.file = file;
    this.named = named;
  }

  /** What came of a change. */
  public static final class Outcome {
    private final PolicyVersion version;
    private final boolean created;

    private Outcome(PolicyVersion version, boolean created) {
      this.version = version;
      this.created = created;
    }

    /** The version in force; where nothing differs, the one before. */
    public PolicyVersion version() {
      return version;
    }

    /** Whether the node was not there before. */
    public boolean isCreated() {
      return created;
    }
  }

  /** What came of taking a branch away. */
  public static final class Removal {
    private final PolicyVersion version;
    private final List<IntentUse> stillNamed;

    private Removal(PolicyVersion version, List<IntentUse> stillNamed) {
      this.version = version;
      this.stillNamed = stillNamed;
    }

    /** The version in force. */
    public PolicyVersion version() {
      return version;
    }

    /** The intents of the branch that agents' rules or open conversations name all the same. */
    public List<IntentUse> stillNamed() {
      return stillNamed;
    }
  }

  /**
   * What a JSON merge patch (RFC 7396) makes of a node: what it names is set, or inherited again
   * where it is null; the rest stays.
   *
   * @throws IllegalArgumentException from the function, with every fault of the patch
   */
  public Function<IntentTree, Policy> patch(IntentPath node, String patch) {
    return tree ->
        file.patched(tree.policies().getOrDefault(node, Policy.INHERIT_ALL), patch, tree);
  }

  /**
   * A tree with another policy of one node.
   *
   * @throws Absent if a node above is missing and is not to be made
   * @throws IllegalArgumentException if the tree cannot have this policy there
   */
  public IntentTree changed(
      IntentTree tree, IntentPath node, Function<IntentTree, Policy> policy, Parents parents) {
    Optional<IntentPath> above = node.parent().filter(parent -> !tree.contains(parent));
    if (above.isPresent() && parents == Parents.MUST_BE_THERE) {
      throw new Absent(
          "There is no intent ("
              + above.get()
              + ") to have ("
              + node
              + ") below it. Maybe you meant "
              + String.join(" or ", policies.nearest(node.toString()))
              + ", or have it made with the option parents.");
    }
    return tree.with(node, policy.apply(tree));
  }

  /**
   * Puts another policy of one node in force.
   *
   * @param body what was sent to ask for it
   * @throws Absent as {@link #changed}
   * @throws Denied if the user may not change the node, or not so far
   * @throws Refused if the version in force waits to be confirmed
   */
  public Outcome set(
      User who,
      Author author,
      String body,
      IntentPath node,
      Function<IntentTree, Policy> policy,
      Parents parents) {
    // Whoever may not change it need not have it read.
    who.mustBeAllowed(Set.of(node));
    AtomicReference<IntentTree> before = new AtomicReference<>();
    PolicyVersion version =
        versions.commit(
            author,
            "The intent (" + node + ") is set.",
            body,
            now -> {
              before.set(now);
              IntentTree next = changed(now, node, policy, parents);
              versions.mustBeAllowed(who, now, next);
              return next;
            },
            Optional.empty());
    // A request that comes again after a crash finds its version made, and changes no tree.
    Optional<IntentTree> changed =
        Optional.ofNullable(before.get())
            .or(() -> versions.find(version.number() - 1).map(PolicyVersion::tree));
    return new Outcome(version, changed.filter(tree -> !tree.contains(node)).isPresent());
  }

  /**
   * Takes a node away, and all below it. Nobody who names one of these is in its way: they are
   * served as what stands above it.
   *
   * @param body what was sent to ask for it
   * @throws Absent if there is no such node
   * @throws IllegalArgumentException if it is the root
   * @throws Denied if the user may not change the node
   * @throws Refused if the version in force waits to be confirmed
   */
  public Removal remove(User who, Author author, String body, IntentPath branch) {
    if (!policies.tree().contains(branch)) {
      throw absent(branch);
    }
    PolicyVersion version =
        versions.commit(
            author,
            "The intent (" + branch + ") is taken away.",
            body,
            now -> {
              IntentTree next = now.contains(branch) ? now.without(branch) : now;
              versions.mustBeAllowed(who, now, next);
              return next;
            },
            Optional.empty());
    return new Removal(version, named.get().missingIn(version.tree(), branch));
  }

  /** There is no such node. */
  public Absent absent(IntentPath node) {
    return new Absent(
        "There is no intent ("
            + node
            + "). Maybe you meant "
            + String.join(" or ", policies.nearest(node.toString()))
            + ".");
  }
}
