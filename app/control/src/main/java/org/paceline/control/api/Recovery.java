package org.paceline.control.api;

import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.naming.NamingRulesStore;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.settings.Settings;
import org.paceline.control.webhook.Webhooks;

/** What a crash cut off: the log of changes and whoever is told of them come to what is stored. */
public final class Recovery {
  private final PolicyVersions versions;
  private final PolicyDrafts drafts;
  private final Reservations reservations;
  private final Webhooks webhooks;
  private final Settings settings;
  private final Ceilings ceilings;
  private final NamingRulesStore naming;

  Recovery(
      PolicyVersions versions,
      PolicyDrafts drafts,
      Reservations reservations,
      Webhooks webhooks,
      Settings settings,
      Ceilings ceilings,
      NamingRulesStore naming) {
    this.versions = versions;
    this.drafts = drafts;
    this.reservations = reservations;
    this.webhooks = webhooks;
    this.settings = settings;
    this.ceilings = ceilings;
    this.naming = naming;
  }

  /** To be called once, before anybody changes anything and when all who listen are there. */
  public static void run(UseCases use) {
    new Recovery(
            use.policy().versions(),
            use.policy().drafts(),
            use.reservations().reservations(),
            use.webhooks(),
            use.settings(),
            use.policy().ceilings(),
            use.naming().store())
        .settle(use.changes());
  }

  void settle(ChangeLog changes) {
    reservations.restore();
    drafts.forgetCommitted();
    changes.settle(this::isMade);
    // What was set while nobody was here: after what we began ourselves.
    settings.lookAgain();
  }

  private boolean isMade(PendingChange change) {
    switch (change.subject().kind()) {
      case POLICY:
        return versions.isMade(change);
      case DRAFT:
        return drafts.isMade(change);
      case WISH:
      case RESERVATION:
        return reservations.isMade(change);
      case WEBHOOK:
        return webhooks.isMade(change);
      case SETTING:
        return settings.isMade(change);
      case CEILING:
        return ceilings.isMade(change);
      case NAMING_RULES:
        return naming.isMade(change);
      case CONVERSATION:
        return true;
      default:
        throw new AssertionError(change.subject());
    }
  }
}
