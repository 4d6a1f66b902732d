package org.paceline.northbound.restconf;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.paceline.control.api.PolicyService;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.intents.tree.IntentTree;
import org.paceline.yang.restconf.data.IntentConfiguration;
import org.paceline.yang.restconf.message.RestconfError;

/** The intent tree in force as RESTCONF's configuration; each change is a version of the policy. */
final class PolicyConfiguration implements IntentConfiguration<Requester> {
  private final Supplier<PolicyService> policy;

  PolicyConfiguration(Supplier<PolicyService> policy) {
    this.policy = policy;
  }

  @Override
  public IntentTree tree() {
    return policy.get().policies().tree();
  }

  @Override
  public Instant changed() {
    return policy.get().versions().inForce().at();
  }

  @Override
  public void mustBeChangedBy(Requester who) {
    who.must(user -> user.mustHold(Role.BRANCH));
  }

  @Override
  public boolean replace(IntentTree expected, IntentTree next, Requester who) {
    try {
      policy
          .get()
          .versions()
          .commit(
              who.author(),
              "Changed by RESTCONF.",
              who.body(),
              now -> {
                if (!now.equals(expected)) {
                  throw new Overtaken();
                }
                who.must(user -> policy.get().versions().mustBeAllowed(user, now, next));
                return next;
              },
              Optional.empty());
      return true;
    } catch (Overtaken another) {
      return false;
    } catch (Refused e) {
      throw RestconfError.conflict(String.valueOf(e.getMessage()));
    }
  }

  /** Somebody else changed the tree in between. */
  private static final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
