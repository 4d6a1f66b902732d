package org.paceline.onos;

import java.time.Clock;
import java.time.Duration;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.StorageService;
import org.paceline.control.ceiling.Ceilings;
import org.paceline.control.change.ChangeLog;
import org.paceline.control.operations.Operation;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.Records;
import org.paceline.control.port.Worker;
import org.paceline.control.reservations.KeptReservations;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Webhooks;
import org.paceline.json.Catalogue;
import org.paceline.onos.plan.PlannerThread;
import org.paceline.onos.store.DistributedIntentStore;
import org.paceline.onos.store.DistributedRecords;
import org.paceline.onos.store.OperationText;
import org.paceline.onos.store.RecordTexts;
import org.paceline.onos.store.ReservationText;
import org.paceline.onos.store.UndeliveredText;
import org.paceline.onos.webhook.Deliveries;

/** What is wanted and how it came about, out of ONOS's store. */
final class Wanted {
  final IntentPolicies policies;
  final ChangeLog changes;
  final Ceilings ceilings;
  final PolicyVersions versions;
  final PolicyDrafts drafts;

  /** What was answered to requests that may come again. */
  final Records<String> answers;

  /** What was stored for each setting when it was looked at last. */
  final Records<String> settingsSeen;

  final KeptReservations reservations;
  final Records<Operation> operations;
  final Webhooks webhooks;

  private final StorageService storage;
  private final ApplicationId app;

  /**
   * @param node this controller's name
   */
  Wanted(
      StorageService storage,
      ApplicationId app,
      String node,
      Worker worker,
      Clock clock,
      Closers closers) {
    this.storage = storage;
    this.app = app;
    DistributedIntentStore store = new DistributedIntentStore(storage, app);
    closers.add(store);
    policies = IntentPolicies.open(store, Catalogue.defaultTree());
    // Handed over: a store's thread that waits for us would keep our own writing from ending.
    store.onChange(() -> worker.execute(policies::refresh));
    changes =
        new ChangeLog(
            records("paceline-changes", RecordTexts.CHANGE),
            records("paceline-begun", RecordTexts.BEGUN),
            node,
            clock);
    ceilings =
        new Ceilings(
            records("paceline-ceilings", RecordTexts.CEILING),
            changes,
            path -> policies.tree().contains(path));
    versions =
        PolicyVersions.open(
            policies,
            records("paceline-versions", RecordTexts.VERSION),
            changes,
            worker,
            clock,
            ceilings,
            RecordTexts::brief);
    drafts =
        new PolicyDrafts(
            records("paceline-drafts", RecordTexts.DRAFT),
            versions,
            changes,
            clock,
            RecordTexts::brief);
    answers = records("paceline-answers", RecordTexts.PLAIN);
    settingsSeen = records("paceline-settings-seen", RecordTexts.PLAIN);
    reservations =
        new KeptReservations(
            records("paceline-reservations", new ReservationText()),
            records("paceline-reservation-numbers", RecordTexts.PLAIN));
    operations = records("paceline-operations", new OperationText());
    PlannerThread telling = new PlannerThread("paceline-webhooks");
    closers.add(telling);
    webhooks =
        new Webhooks(
            records("paceline-webhooks", RecordTexts.WEBHOOK),
            changes,
            telling,
            new Deliveries(
                new Outbox(records("paceline-outbox", new UndeliveredText())),
                telling,
                Duration.ofSeconds(1)));
    webhooks.resume();
  }

  private <T> Records<T> records(String name, DistributedRecords.TextCodec<T> codec) {
    return new DistributedRecords<>(storage, app, name, codec);
  }
}
