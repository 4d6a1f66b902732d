package org.paceline.control;

import org.paceline.control.change.Begun;
import org.paceline.control.change.ChangeLog;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.webhook.Webhooks;

/** What a crash cut off: the log of changes and whoever is told of them come to what is stored. */
public final class Recovery {
  private final PolicyVersions versions;
  private final PolicyDrafts drafts;
  private final Reservations reservations;
  private final Webhooks webhooks;

  Recovery(
      PolicyVersions versions, PolicyDrafts drafts, Reservations reservations, Webhooks webhooks) {
    this.versions = versions;
    this.drafts = drafts;
    this.reservations = reservations;
    this.webhooks = webhooks;
  }

  /** To be called once, before anybody changes anything and when all who listen are there. */
  public static void run(UseCases use) {
    new Recovery(use.versions(), use.drafts(), use.reservations(), use.webhooks())
        .settle(use.changes());
  }

  void settle(ChangeLog changes) {
    reservations.restore();
    drafts.forgetCommitted();
    changes.settle(this::isMade);
  }

  private boolean isMade(Begun change) {
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
      case CONVERSATION:
        return true;
      default:
        throw new AssertionError(change.subject());
    }
  }
}
