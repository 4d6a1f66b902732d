package org.paceline.onos;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.StorageService;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.NumberedRecords;
import org.paceline.control.audit.Refused;
import org.paceline.control.enrolment.EnrolmentAuthority;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.experience.LearnedTable;
import org.paceline.control.ingress.IngressList;
import org.paceline.control.naming.NamingRulesStore;
import org.paceline.control.operations.Operation;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.Journal;
import org.paceline.control.port.Records;
import org.paceline.control.port.Worker;
import org.paceline.control.reservations.ReservationStore;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Webhooks;
import org.paceline.control.work.Closers;
import org.paceline.control.work.Upkeep;
import org.paceline.control.work.WorkerThread;
import org.paceline.json.catalogue.Catalogue;
import org.paceline.northbound.webhook.Deliveries;
import org.paceline.onos.listen.Listening;
import org.paceline.onos.store.DistributedRecords;
import org.paceline.onos.store.EarlierIntentTree;
import org.paceline.onos.store.RecordStores;
import org.paceline.records.IngressListCodec;
import org.paceline.records.LearnedTableCodec;
import org.paceline.records.OperationCodec;
import org.paceline.records.RecordCodecs;
import org.paceline.records.ReservationCodec;
import org.paceline.records.UndeliveredCodec;

/** What is wanted and how it came about, out of ONOS's store. */
final class DesiredState {
  private static final String VERSIONS = "paceline-versions";
  private static final String NUMBERS = "paceline-reservation-numbers";

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
  final EnrolmentTokens enrolment;
  final HostCertificates certificates;
  final Records<IngressList> elephantLists;

  /** What applications report of utility functions. */
  final Records<LearnedTable> learned;

  /**
   * @param authority signs for hosts, where anybody does at the moment
   * @throws Refused if a newer Paceline wrote what is wanted; nothing is changed then
   */
  DesiredState(
      OnosServices onos,
      Worker worker,
      Journal journal,
      Clock clock,
      Closers closers,
      Listening listening,
      Supplier<Optional<EnrolmentAuthority>> authority) {
    StorageService storage = onos.storage();
    ApplicationId app = onos.app();
    RecordStores stores = new RecordStores(storage, app);
    DistributedRecords versionBytes = stores.bytes(VERSIONS);
    policies =
        new IntentPolicies(
            EarlierIntentTree.find(versionBytes, storage, app).orElseGet(Catalogue::defaultTree));
    // Among what an earlier Paceline must be able to read before it starts.
    Records<String> exported = stores.wanted(NUMBERS, RecordCodecs.EXPORTED);
    changes =
        new ChangeLog(
            new NumberedRecords<>(
                "changes", stores.remembered("paceline-changes", RecordCodecs.CHANGE), exported),
            stores.remembered("paceline-begun", RecordCodecs.BEGUN),
            onos.node(),
            clock);
    ceilings =
        new Ceilings(
            stores.wanted("paceline-ceilings", RecordCodecs.CEILING),
            changes,
            path -> policies.tree().contains(path));
    versions =
        PolicyVersions.open(
            policies,
            new NumberedRecords<>(
                "versions",
                stores.numbered(VERSIONS, versionBytes, RecordCodecs.VERSION),
                exported),
            changes,
            worker,
            clock,
            ceilings,
            RecordCodecs::brief);
    // Handed over: a store's thread that waits for us would keep our own writing from ending.
    Upkeep versionsOfOthers =
        new Upkeep(
            worker,
            Duration.ZERO,
            "The newest version of the policy could not be put in force.",
            versions::catchUp);
    versionBytes.onChange(listening, versionsOfOthers::ask);
    drafts =
        new PolicyDrafts(
            stores.wanted("paceline-drafts", RecordCodecs.DRAFT),
            versions,
            changes,
            clock,
            RecordCodecs::brief);
    answers = stores.remembered("paceline-answers", RecordCodecs.PLAIN);
    settingsSeen = stores.remembered("paceline-settings-seen", RecordCodecs.PLAIN);
    reservations =
        new ReservationStore(
            stores.wanted("paceline-reservations", new ReservationCodec()),
            stores.wanted(NUMBERS, RecordCodecs.PLAIN, ReservationStore.LAST));
    operations = stores.remembered("paceline-operations", new OperationCodec());
    naming =
        new NamingRulesStore(
            stores.wanted("paceline-naming-rules", RecordCodecs.NAMING_RULES),
            policies,
            changes,
            RecordCodecs.NAMING_RULES::write);
    enrolment =
        new EnrolmentTokens(
            stores.wanted("paceline-enrolment-tokens", RecordCodecs.ENROLMENT_TOKEN),
            changes,
            authority,
            clock);
    certificates = new HostCertificates(enrolment, changes, authority);
    elephantLists = stores.remembered("paceline-elephant-lists", new IngressListCodec());
    learned = stores.remembered("paceline-learned-tables", new LearnedTableCodec());
    WorkerThread telling = new WorkerThread("paceline-webhooks", journal);
    closers.add(telling);
    webhooks =
        new Webhooks(
            stores.wanted("paceline-webhooks", RecordCodecs.WEBHOOK),
            changes,
            telling,
            new Deliveries(
                new Outbox(stores.remembered("paceline-outbox", new UndeliveredCodec())),
                telling,
                Duration.ofSeconds(1)));
    webhooks.resume();
  }
}
