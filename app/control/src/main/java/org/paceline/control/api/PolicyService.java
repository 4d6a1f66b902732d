package org.paceline.control.api;

import org.paceline.control.explain.PolicyDifference;
import org.paceline.control.inventory.NamedIntents;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.PolicyFile;
import org.paceline.intents.tree.IntentTree;

/** What is wanted: the intent tree, its versions and drafts, and who may ask for how much. */
public final class PolicyService {
  private final IntentPolicies policies;
  private final PolicyVersions versions;
  private final PolicyDrafts drafts;
  private final Ceilings ceilings;
  private final PolicyFile file;
  private final Concerned concerned;

  /** Those whom the intent tree concerns. */
  public interface Concerned {
    /** What another intent tree would do to the conversations that are open. */
    PolicyDifference whatIf(IntentTree next);

    /** The intents that agents' rules and open conversations name. */
    NamedIntents named();
  }

  /**
   * @param file how an intent tree is exported and imported
   */
  public PolicyService(
      IntentPolicies policies,
      PolicyVersions versions,
      PolicyDrafts drafts,
      Ceilings ceilings,
      PolicyFile file,
      Concerned concerned) {
    this.policies = policies;
    this.versions = versions;
    this.drafts = drafts;
    this.ceilings = ceilings;
    this.file = file;
    this.concerned = concerned;
  }

  /** The intent tree in force. */
  public IntentPolicies policies() {
    return policies;
  }

  /** The intent trees that were in force, and how another comes into force. */
  public PolicyVersions versions() {
    return versions;
  }

  /** The intent trees that are being prepared. */
  public PolicyDrafts drafts() {
    return drafts;
  }

  /** How much those may ask for to whom a branch is delegated. */
  public Ceilings ceilings() {
    return ceilings;
  }

  /** How an intent tree is exported and imported. */
  public PolicyFile file() {
    return file;
  }

  /** To change one node of the intent tree. */
  public IntentDesk intentDesk() {
    return new IntentDesk(policies, versions, file, concerned::named);
  }

  /** What another intent tree would do to the conversations that are open. */
  public PolicyDifference whatIf(IntentTree next) {
    return concerned.whatIf(next);
  }
}
