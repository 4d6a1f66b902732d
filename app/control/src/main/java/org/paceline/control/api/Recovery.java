package org.paceline.control.api;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.PendingChange;
import org.paceline.control.audit.Subject;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.settings.Settings;

/** What a crash cut off: the log of changes and whoever is told of them come to what is stored. */
public final class Recovery {
  private final PolicyDrafts drafts;
  private final Reservations reservations;
  private final Settings settings;
  private final Map<Subject.Kind, Predicate<PendingChange>> isMade;

  /**
   * @param isMade for each other kind that is stored, whether a change of it was made
   */
  Recovery(
      PolicyDrafts drafts,
      Reservations reservations,
      Settings settings,
      Map<Subject.Kind, Predicate<PendingChange>> isMade) {
    this.drafts = drafts;
    this.reservations = reservations;
    this.settings = settings;
    this.isMade = new EnumMap<>(isMade);
    this.isMade.put(Subject.Kind.DRAFT, drafts::isMade);
    this.isMade.put(Subject.Kind.WISH, reservations::isMade);
    this.isMade.put(Subject.Kind.RESERVATION, reservations::isMade);
    this.isMade.put(Subject.Kind.SETTING, settings::isMade);
    this.isMade.put(Subject.Kind.CONVERSATION, change -> true);
  }

  /** To be called once, before anybody changes anything and when all who listen are there. */
  public static void run(UseCases use) {
    new Recovery(
            use.policy().drafts(),
            use.reservations().reservations(),
            use.settings(),
            Map.of(
                Subject.Kind.POLICY,
                use.policy().versions()::isMade,
                Subject.Kind.WEBHOOK,
                use.webhooks()::isMade,
                Subject.Kind.CEILING,
                use.policy().ceilings()::isMade,
                Subject.Kind.NAMING_RULES,
                use.naming().store()::isMade,
                Subject.Kind.ENROLMENT_TOKEN,
                use.enrolment()::isMade))
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
    Predicate<PendingChange> kind = isMade.get(change.subject().kind());
    if (kind == null) {
      throw new AssertionError(change.subject());
    }
    return kind.test(change);
  }
}
