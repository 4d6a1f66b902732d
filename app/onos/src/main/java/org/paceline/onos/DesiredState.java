package org.paceline.onos;

import java.time.Clock;
import java.time.Duration;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.StorageService;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.ingress.IngressList;
import org.paceline.control.naming.NamingRulesStore;
import org.paceline.control.operations.Operation;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.Closers;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Records;
import org.paceline.control.port.Worker;
import org.paceline.control.port.WorkerThread;
import org.paceline.control.reservations.ReservationStore;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Webhooks;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.northbound.webhook.Deliveries;
import org.paceline.onos.store.DistributedRecords;
import org.paceline.onos.store.EarlierIntentTree;
import org.paceline.records.EncodedRecords;
import org.paceline.records.IngressListCodec;
import org.paceline.records.OperationCodec;
import org.paceline.records.RecordCodec;
import org.paceline.records.RecordCodecs;
import org.paceline.records.ReservationCodec;
import org.paceline.records.UndeliveredCodec;

/** What is wanted and how it came about, out of ONOS's store. */
final class DesiredState {
  private static final String VERSIONS = "paceline-versions";

  final IntentPolicies policies;
  final ChangeLog changes;
  final Ceilings ceilings;
  final PolicyVersions versions;
  final PolicyDrafts drafts;

  /** What was answered to requests that may come again. */
  final Records<String> answers;

  /** What was stored for each setting when it was looked at last. */
  final Records<String> settingsSeen;

  final ReservationStore reservations;
  final Records<Operation> operations;
  final Webhooks webhooks;
  final NamingRulesStore naming;
  final Records<IngressList> elephantLists;

  private final StorageService storage;
  private final ApplicationId app;

  DesiredState(OnosServices onos, Worker worker, Journal journal, Clock clock, Closers closers) {
    storage = onos.storage();
    app = onos.app();
    DistributedRecords versionBytes = new DistributedRecords(storage, app, VERSIONS);
    policies =
        new IntentPolicies(
            EarlierIntentTree.find(versionBytes, storage, app).orElseGet(Catalogue::defaultTree));
    changes =
        new ChangeLog(
            records("paceline-changes", RecordCodecs.CHANGE),
            records("paceline-begun", RecordCodecs.BEGUN),
            onos.node(),
            clock);
    ceilings =
        new Ceilings(
            records("paceline-ceilings", RecordCodecs.CEILING),
            changes,
            path -> policies.tree().contains(path));
    versions =
        PolicyVersions.open(
            policies,
            new EncodedRecords<>(VERSIONS, versionBytes, RecordCodecs.VERSION),
            changes,
            worker,
            clock,
            ceilings,
            RecordCodecs::brief);
    // Handed over: a store's thread that waits for us would keep our own writing from ending.
    closers.add(versionBytes.onChange(() -> worker.execute(versions::catchUp)));
    drafts =
        new PolicyDrafts(
            records("paceline-drafts", RecordCodecs.DRAFT),
            versions,
            changes,
            clock,
            RecordCodecs::brief);
    answers = records("paceline-answers", RecordCodecs.PLAIN);
    settingsSeen = records("paceline-settings-seen", RecordCodecs.PLAIN);
    reservations =
        new ReservationStore(
            records("paceline-reservations", new ReservationCodec()),
            records("paceline-reservation-numbers", RecordCodecs.PLAIN));
    operations = records("paceline-operations", new OperationCodec());
    naming =
        new NamingRulesStore(
            records("paceline-naming-rules", RecordCodecs.NAMING_RULES),
            policies,
            changes,
            RecordCodecs.NAMING_RULES::write);
    elephantLists = records("paceline-elephant-lists", new IngressListCodec());
    WorkerThread telling = new WorkerThread("paceline-webhooks", journal);
    closers.add(telling);
    webhooks =
        new Webhooks(
            records("paceline-webhooks", RecordCodecs.WEBHOOK),
            changes,
            telling,
            new Deliveries(
                new Outbox(records("paceline-outbox", new UndeliveredCodec())),
                telling,
                Duration.ofSeconds(1)));
    webhooks.resume();
  }

  private <T> Records<T> records(String name, RecordCodec<T> codec) {
    return new EncodedRecords<>(name, new DistributedRecords(storage, app, name), codec);
  }
}
