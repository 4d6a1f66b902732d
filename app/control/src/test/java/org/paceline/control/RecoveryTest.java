package org.paceline.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.allocator.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.change.Author;
import org.paceline.control.change.Begun;
import org.paceline.control.change.Change;
import org.paceline.control.change.ChangeLog;
import org.paceline.control.change.Request;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.policy.PolicyDraft;
import org.paceline.control.policy.PolicyDrafts;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.IntentStore;
import org.paceline.control.port.NetworkState;
import org.paceline.control.reservations.Admission;
import org.paceline.control.reservations.KeptReservations;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationDesk;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.reservations.Wish;
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
 * Each kind of change, with the controller killed before each of its writes in turn; then another
 * starts on the same store, and the request comes again. The store, the log and the outbox must
 * agree each time, and what was asked for once must be there once.
 */
final class RecoveryTest {
  private static final Author ANNA = Author.of("anna", Optional.of("CHG0030001"));
  private static final DataRate RATE = DataRate.ofKilobitsPerSecond(1_000);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

  /** What a killed process does next: nothing. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** A change, on a store where {@link #prepare} has been; and what then must be the case. */
  enum Case {
    COMMIT(
        1,
        at -> {},
        (at, author) -> at.versions.commit(author, "One.", "", tree -> at.tree(2), at.atOnce())),
    TRIAL(
        1,
        at -> {},
        (at, author) ->
            at.versions.commit(author, "One.", "", tree -> at.tree(2), Optional.of(HOUR))),
    CONFIRM(
        1,
        at -> at.versions.commit(ANNA, "Zero.", "", tree -> at.tree(2), Optional.of(HOUR)),
        (at, author) -> at.versions.confirm(author, "")),
    ROLL_BACK(
        1,
        at -> {
          at.versions.commit(ANNA, "Zero.", "", tree -> at.tree(2), at.atOnce());
          at.versions.commit(ANNA, "One.", "", tree -> at.tree(3), at.atOnce());
        },
        (at, author) -> at.versions.rollBack(author, "", Optional.empty())),
    COMMIT_OF_A_DRAFT(
        1,
        at -> at.drafts.put("d", ANNA, "", at.tree(2)),
        (at, author) ->
            at.versions
                .madeFor(author)
                .orElseGet(
                    () ->
                        at.drafts.commit(
                            at.drafts.find("d").orElseThrow(), author, "", at.atOnce()))),
    DRAFT(0, at -> {}, (at, author) -> at.drafts.put("d", author, "", at.tree(2))),
    REMOVAL_OF_A_DRAFT(
        0,
        at -> at.drafts.put("d", ANNA, "", at.tree(2)),
        (at, author) -> at.unlessMade(author, () -> at.drafts.remove("d", author, ""))),
    HOLD(1, at -> {}, (at, author) -> at.desk().reserve(author, "", at.wish(), false)),
    RESERVE(2, at -> {}, (at, author) -> at.desk().reserve(author, "", at.wish(), true)),
    COMMIT_OF_A_RESERVATION(
        1,
        at -> at.desk().reserve(ANNA, "", at.wish(), false),
        (at, author) -> at.desk().commit(author, "", "r000001")),
    GIVE_BACK(
        1,
        at -> at.desk().reserve(ANNA, "", at.wish(), true),
        (at, author) -> at.unlessMade(author, () -> at.desk().cancel(author, "", "r000001"))),
    REGISTER(
        0,
        at -> {},
        (at, author) ->
            at.webhooks.register(author, "", "http://b/", Set.of(Webhook.Kind.ALARM), SECRET)),
    UNREGISTER(
        0,
        at -> at.webhook("other"),
        (at, author) -> at.unlessMade(author, () -> at.webhooks.remove(author, "other")));

    private final int events;
    private final Consumer<Controller> prepare;
    private final Act act;

    Case(int events, Consumer<Controller> prepare, Act act) {
      this.events = events;
      this.prepare = prepare;
      this.act = act;
    }

    interface Act {
      Object on(Controller at, Author author);
    }
  }

  /** What outlives a controller, and how many writes it takes until the power fails. */
  private static final class Store {
    long left = Long.MAX_VALUE;
    long failing = -1;
    long written;
    final RememberedRecords<Change> changes = records();
    final RememberedRecords<Begun> begun = records();
    final RememberedRecords<PolicyVersion> versions = records();
    final RememberedRecords<PolicyDraft> drafts = records();
    final RememberedRecords<Reservation> reservations = records();
    final RememberedRecords<String> numbers = records();
    final RememberedRecords<Webhook> webhooks = records();
    final RememberedRecords<Undelivered> outbox = records();
    Optional<IntentTree> tree = Optional.empty();

    private <T> RememberedRecords<T> records() {
      return new RememberedRecords<>(this::write);
    }

    void write() {
      if (failing-- == 0) {
        throw new IllegalStateException("the store is away");
      }
      if (left-- <= 0) {
        throw new Killed();
      }
      written++;
    }

    /** All that people see, but for when it was and for the log. */
    List<Object> seen() {
      return List.of(
          versions.keys().stream()
              .map(key -> versions.find(key).orElseThrow())
              // That of the start is kept with the second.
              .filter(one -> one.number() > 1)
              .map(one -> List.of(one.number(), one.reason(), one.author().actor(), one.tree()))
              .collect(Collectors.toSet()),
          drafts.keys(),
          reservations.keys().stream()
              .map(key -> reservations.find(key).orElseThrow())
              .filter(one -> !one.isGivenBack())
              // A number may be left out.
              .map(one -> List.of(one.wish(), one.isCommitted()))
              .collect(Collectors.toSet()),
          webhooks.keys(),
          tree);
    }

    Set<String> eventIds() {
      return outbox.keys().stream()
          .map(key -> outbox.find(key).orElseThrow().event().id())
          .collect(Collectors.toSet());
    }

    List<Change> log() {
      List<Change> log = new ArrayList<>();
      for (long n = 1; n <= changes.size(); n++) {
        log.add(changes.find(Long.toString(n)).orElseThrow());
      }
      return log;
    }

    /** Those that no other entry takes back. */
    List<String> made() {
      List<String> all = log().stream().map(Change::operation).collect(Collectors.toList());
      List<String> made = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        String refutation = "Change " + (i + 1) + " was not made: ";
        if (!all.get(i).contains(" was not made: ")
            && all.stream().noneMatch(one -> one.startsWith(refutation))) {
          made.add(all.get(i));
        }
      }
      return made;
    }
  }

  /** Of each, a new process on the store; its clock goes on. */
  private static final class Controller {
    private final ManualWorker time = new ManualWorker();
    private final ChangeLog changes;
    private final PolicyVersions versions;
    private final PolicyDrafts drafts;
    private final Reservations reservations;
    private final Webhooks webhooks;
    private final Store store;

    Controller(Store store, int generation) {
      this.store = store;
      time.pass(Duration.ofSeconds(10L * generation));
      IntentPolicies policies =
          IntentPolicies.open(
              new IntentStore() {
                @Override
                public Optional<IntentTree> load() {
                  return store.tree;
                }

                @Override
                public void save(IntentTree tree) {
                  store.write();
                  store.tree = Optional.of(tree);
                }
              },
              tree(1));
      changes = new ChangeLog(store.changes, store.begun, "n1", time);
      versions =
          PolicyVersions.open(policies, store.versions, changes, time, time, IntentTree::toString);
      drafts = new PolicyDrafts(store.drafts, versions, changes, time, IntentTree::toString);
      reservations =
          new Reservations(
              new KeptReservations(store.reservations, store.numbers),
              new Admission(
                  new AutoAllocator(new NetworkAllocator(Optional.empty())), Duration.ofSeconds(5)),
              RecoveryTest::twoHosts,
              full -> full,
              policies,
              time,
              time,
              () -> {});
      webhooks = new Webhooks(store.webhooks, changes, time, new OnlyWritten(store.outbox));
      versions.onChange(
          version -> tell(Webhook.Kind.POLICY, version.number() + "/" + version.at()));
      reservations.onStep((step, one) -> tell(Webhook.Kind.RESERVATION, step + "/" + one.id()));
      new Recovery(versions, drafts, reservations, webhooks).settle(changes);
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

    Wish wish() {
      Instant start = Instant.EPOCH.plus(Duration.ofDays(1));
      return Wish.of("", "10.0.0.1", "10.0.0.2", RATE, start, HOUR, start.plus(HOUR));
    }

    IntentTree tree(int priority) {
      IntentTree first =
          IntentTree.withDefault(
              UtilityFunction.of(
                  "any",
                  List.of(DataRate.ofKilobitsPerSecond(100)),
                  List.of(Latency.ofMillis(50)),
                  List.of(List.of(Utility.of(3.0)))));
      return first.with(IntentPath.parse("voice"), Policy.builder().priority(priority).build());
    }
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

  private static Store prepared(Case one) {
    Store store = new Store();
    Controller first = new Controller(store, 0);
    first.webhook("told");
    one.prepare.accept(first);
    first.time.pass(Duration.ofSeconds(1));
    store.outbox.keys().forEach(store.outbox::remove);
    return store;
  }

  private static Optional<Object> sent(Case one, Controller to, Request request) {
    try {
      return Optional.of(one.act.on(to, ANNA.by(Optional.of(request))));
    } catch (Killed now) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void whereverAControllerIsKilledStoreAndLogAgreeAndARepetitionMakesItOnce(Case one) {
    Function<Controller, Request> named = at -> Request.of("request-1", at.time.instant());
    Store whole = prepared(one);
    List<Object> before = whole.seen();
    int logged = whole.made().size();
    long already = whole.written;
    Controller unharmed = new Controller(whole, 1);
    Object answer = sent(one, unharmed, named.apply(unharmed)).orElseThrow();
    List<Object> after = whole.seen();
    List<String> log = whole.made();
    assertThat(whole.eventIds()).hasSize(one.events);
    assertThat(whole.begun.keys()).isEmpty();
    assertThat(after).isNotEqualTo(before);
    long writes = whole.written - already;

    for (int kill = 0; kill < writes; kill++) {
      Store store = prepared(one);
      Controller first = new Controller(store, 1);
      Request request = named.apply(first);
      store.left = kill;
      assertThat(sent(one, first, request)).as("killed before write %d", kill).isEmpty();
      store.left = Long.MAX_VALUE;

      Controller second = new Controller(store, 2);
      second.time.pass(Duration.ZERO);
      boolean isMade = store.seen().equals(after);
      String at = one + " killed before write " + kill + ", made: " + isMade;
      assertThat(store.seen()).as(at).isIn(before, after);
      assertThat(unnumbered(store.made()))
          .as(at)
          .isEqualTo(unnumbered(isMade ? log : log.subList(0, logged)));
      assertThat(store.begun.keys()).as(at).isEmpty();
      if (isMade) {
        assertThat(store.eventIds()).as(at).hasSize(one.events);
      }

      Optional<Object> again = sent(one, second, request);
      second.time.pass(Duration.ZERO);
      assertThat(store.seen()).as(at).isEqualTo(after);
      assertThat(unnumbered(store.made())).as(at).isEqualTo(unnumbered(log));
      assertThat(store.eventIds()).as(at).hasSize(one.events);
      assertThat(text(again.orElseThrow())).as(at).isEqualTo(text(answer));
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void whicheverWriteFailsStoreAndLogAgree(Case one) {
    Store whole = prepared(one);
    List<Object> before = whole.seen();
    int logged = whole.made().size();
    long already = whole.written;
    Controller unharmed = new Controller(whole, 1);
    Request named = Request.of("request-1", unharmed.time.instant());
    sent(one, unharmed, named);
    long writes = whole.written - already;
    for (int fail = 0; fail < writes; fail++) {
      Store store = prepared(one);
      Controller first = new Controller(store, 1);
      store.failing = fail;
      boolean isMade;
      try {
        sent(one, first, named);
        isMade = true;
      } catch (IllegalStateException refused) {
        isMade = false;
      }
      String at = one + ", failing write " + fail + ": " + store.log();
      new Controller(store, 2).time.pass(Duration.ZERO);
      assertThat(store.seen()).as(at).isEqualTo(isMade ? whole.seen() : before);
      assertThat(unnumbered(store.made()))
          .as(at)
          .isEqualTo(unnumbered(isMade ? whole.made() : whole.made().subList(0, logged)));
    }
  }

  private static List<String> unnumbered(List<String> log) {
    return log.stream().map(RecoveryTest::text).collect(Collectors.toList());
  }

  /** Without times, numbers and names of requests, which differ. */
  private static String text(Object answer) {
    return answer
        .toString()
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z|r\\d{6}|[0-9a-f-]{36}", "...");
  }

  private static NetworkState twoHosts() {
    Network network =
        Network.of(
            Set.of("h1", "h2"),
            List.of(Link.of("h1", "h2", RATE, LinkDelay.constant(Latency.ofMillis(1)))));
    return NetworkState.of(network, Map.of("10.0.0.1", "h1", "10.0.0.2", "h2"), List.of());
  }
}
