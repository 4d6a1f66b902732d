package org.paceline.control.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedCertificates;
import org.paceline.control.RememberedRecords;
import org.paceline.control.WholeLinks;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.Subject;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.NetworkState;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.naming.NamingRulesStore;
import org.paceline.control.policy.Ceilings;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.reservations.Admission;
import org.paceline.control.reservations.ReservationDesk;
import org.paceline.control.reservations.ReservationRequest;
import org.paceline.control.reservations.ReservationStore;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.reservations.Terms;
import org.paceline.control.settings.RememberedSettings;
import org.paceline.control.settings.Settings;
import org.paceline.control.webhook.DeliveryState;
import org.paceline.control.webhook.Outbox;
import org.paceline.control.webhook.Undelivered;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.WebhookEvent;
import org.paceline.control.webhook.WebhookSender;
import org.paceline.control.webhook.Webhooks;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.Policy;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

/**
 * The use cases as a process that has just started finds them in a {@link KillableStore}. The clock
 * of each generation is 10 s ahead of the one before it. It tells nobody of its webhooks' events.
 */
final class StartedController {
  static final Author ANNA = Author.of("anna", Optional.of("CHG0030001"));
  static final Duration HOUR = Duration.ofHours(1);
  static final String SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
  private static final DataRate RATE = DataRate.ofKilobitsPerSecond(1_000);

  final ManualWorker time = new ManualWorker();
  final ChangeLog changes;
  final Ceilings ceilings;
  final IntentPolicies policies;
  final PolicyVersions versions;
  final PolicyDrafts drafts;
  final Webhooks webhooks;
  final NamingRulesStore naming;
  final EnrolmentTokens enrolment;
  private final Reservations reservations;
  private final KillableStore store;

  StartedController(KillableStore store, int generation) {
    this.store = store;
    time.pass(Duration.ofSeconds(10L * generation));
    policies = new IntentPolicies(tree(1));
    changes = new ChangeLog(RememberedRecords.numbered(store.changes), store.begun, "n1", time);
    ceilings = new Ceilings(store.ceilings, changes, path -> true);
    versions =
        PolicyVersions.open(
            policies,
            RememberedRecords.numbered(store.versions),
            changes,
            time,
            time,
            ceilings,
            IntentTree::toString);
    drafts = new PolicyDrafts(store.drafts, versions, changes, time, IntentTree::toString);
    reservations =
        new Reservations(
            new ReservationStore(store.reservations, store.numbers),
            new Terms(
                new Admission(
                    new AutoAllocator(new NetworkAllocator(Optional.empty())),
                    Duration.ofMinutes(1)),
                StartedController::twoHosts,
                WholeLinks.RESERVABLE,
                policies,
                new ProofBook(),
                ceilings),
            time,
            time,
            () -> {});
    naming = new NamingRulesStore(store.naming, policies, changes, NamingRules::toString);
    webhooks = new Webhooks(store.webhooks, changes, time, new OnlyWritten(store.outbox));
    versions.onChange(version -> tell(Webhook.Kind.POLICY, version.number() + "/" + version.at()));
    reservations.onStep((step, one) -> tell(Webhook.Kind.RESERVATION, step + "/" + one.id()));
    Settings settings =
        new Settings(
            new RememberedSettings(),
            changes,
            new RememberedRecords<>(),
            (name, after) -> Optional.empty(),
            time);
    enrolment =
        new EnrolmentTokens(
            store.enrolment, changes, () -> Optional.of(new RememberedCertificates()), time);
    new Recovery(
            drafts,
            reservations,
            settings,
            Map.of(
                Subject.Kind.POLICY,
                versions::isMade,
                Subject.Kind.WEBHOOK,
                webhooks::isMade,
                Subject.Kind.CEILING,
                ceilings::isMade,
                Subject.Kind.NAMING_RULES,
                naming::isMade,
                Subject.Kind.ENROLMENT_TOKEN,
                enrolment::isMade))
        .settle(changes);
  }

  private void tell(Webhook.Kind kind, String id) {
    webhooks.publish(WebhookEvent.of(id, kind, id));
  }

  ReservationDesk desk() {
    return new ReservationDesk(reservations, changes);
  }

  Webhook webhook(String id) {
    Author request = ANNA.by(Optional.of(Request.of(id, time.instant())));
    return webhooks.register(
        request, "", "http://a/", Set.of(Webhook.Kind.POLICY, Webhook.Kind.RESERVATION), SECRET);
  }

  /** As REST answers a repetition of what takes away. */
  Object unlessMade(Author author, BooleanSupplier act) {
    return changes.wasMade(author.request().orElseThrow()) || act.getAsBoolean();
  }

  Optional<Duration> atOnce() {
    return Optional.empty();
  }

  ReservationRequest requested() {
    Instant start = Instant.EPOCH.plus(Duration.ofDays(1));
    return ReservationRequest.of("", "10.0.0.1", "10.0.0.2", RATE, start, HOUR, start.plus(HOUR));
  }

  IntentTree tree(int priority) {
    IntentTree first =
        IntentTree.withDefault(
            UtilityFunction.of(
                "any",
                List.of(RATE),
                List.of(Latency.ofMillis(50)),
                List.of(List.of(Utility.of(3.0)))));
    return first.with(IntentPath.parse("voice"), Policy.builder().priority(priority).build());
  }

  private static NetworkState twoHosts() {
    Network network =
        Network.of(
            Set.of("h1", "h2"),
            List.of(Link.of("h1", "h2", RATE, LinkDelay.constant(Latency.ofMillis(1)))));
    return NetworkState.of(network, Map.of("10.0.0.1", "h1", "10.0.0.2", "h2"), List.of());
  }

  /** Writes down what is to be told, and tells nobody. */
  private static final class OnlyWritten implements WebhookSender {
    private final Outbox outbox;

    OnlyWritten(RememberedRecords<Undelivered> records) {
      outbox = new Outbox(records);
    }

    @Override
    public void send(Webhook to, WebhookEvent event) {
      try {
        outbox.add(Undelivered.of(to.id(), event));
      } catch (IllegalStateException storeIsAway) {
        // As the real one: it is told from memory.
      }
    }

    @Override
    public void resume(Collection<Webhook> all) {}

    @Override
    public void forget(String webhook) {}

    @Override
    public DeliveryState state(String webhook) {
      return DeliveryState.NOTHING;
    }
  }
}
