package org.paceline.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.paceline.control.api.StartedController.ANNA;
import static org.paceline.control.api.StartedController.HOUR;
import static org.paceline.control.api.StartedController.SECRET;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.paceline.control.NoCeilings;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.Request;
import org.paceline.control.audit.User;
import org.paceline.control.naming.NamingDocument;
import org.paceline.control.naming.NamingRules;
import org.paceline.control.policy.Ceiling;
import org.paceline.control.webhook.Webhook;
import org.paceline.intents.tree.IntentPath;

/**
 * Each kind of change, with the controller killed before each of its writes in turn; then another
 * starts on the same store, and the request comes again. The store, the log and the outbox must
 * agree each time, and what was asked for once must be there once.
 */
final class RecoveryTest {

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
        (at, author) -> at.versions.confirm(User.of("anna", Set.of("admin")), author, "")),
    ROLL_BACK(
        1,
        at -> {
          at.versions.commit(ANNA, "Zero.", "", tree -> at.tree(2), at.atOnce());
          at.versions.commit(ANNA, "One.", "", tree -> at.tree(3), at.atOnce());
        },
        (at, author) ->
            at.versions.rollBack(User.of("anna", Set.of("admin")), author, "", Optional.empty())),
    ROLL_BACK_OF_A_CONFIRMED_TRIAL(
        1,
        at -> {
          at.versions.commit(ANNA, "Zero.", "", tree -> at.tree(2), Optional.of(HOUR));
          at.versions.confirm(User.of("anna", Set.of("admin")), ANNA, "");
        },
        (at, author) ->
            at.versions.rollBack(User.of("anna", Set.of("admin")), author, "", Optional.empty())),
    COMMIT_OF_A_DRAFT(
        1,
        at -> at.drafts.put("d", ANNA, "", at.tree(2)),
        (at, author) ->
            at.versions
                .madeFor(author)
                .orElseGet(
                    () ->
                        at.drafts.commit(
                            NoCeilings.ADAM,
                            at.drafts.find("d").orElseThrow(),
                            author,
                            "",
                            at.atOnce()))),
    DRAFT(0, at -> {}, (at, author) -> at.drafts.put("d", author, "", at.tree(2))),
    REMOVAL_OF_A_DRAFT(
        0,
        at -> at.drafts.put("d", ANNA, "", at.tree(2)),
        (at, author) -> at.unlessMade(author, () -> at.drafts.remove("d", author, ""))),
    HOLD(
        1,
        at -> {},
        (at, author) -> at.desk().reserve(NoCeilings.ADAM, author, "", at.requested(), false)),
    RESERVE(
        2,
        at -> {},
        (at, author) -> at.desk().reserve(NoCeilings.ADAM, author, "", at.requested(), true)),
    COMMIT_OF_A_RESERVATION(
        1,
        at -> at.desk().reserve(NoCeilings.ADAM, ANNA, "", at.requested(), false),
        (at, author) -> at.desk().commit(NoCeilings.ADAM, author, "", "r000001")),
    GIVE_BACK(
        1,
        at -> at.desk().reserve(NoCeilings.ADAM, ANNA, "", at.requested(), true),
        (at, author) -> at.unlessMade(author, () -> at.desk().cancel(author, "", "r000001"))),
    SET_A_CEILING(
        0,
        at -> at.ceilings.set(ANNA, "", ceiling(20)),
        (at, author) -> at.ceilings.set(author, "", ceiling(30))),
    REMOVE_A_CEILING(
        0,
        at -> at.ceilings.set(ANNA, "", ceiling(20)),
        (at, author) ->
            at.unlessMade(author, () -> at.ceilings.remove(author, "", IntentPath.parse("voice")))),
    SET_NAMING_RULES(
        0,
        at -> at.naming.set(ANNA, "", naming("before"), OptionalLong.empty()),
        (at, author) -> at.naming.set(author, "", naming("after"), OptionalLong.empty())),
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
    private final Consumer<StartedController> prepare;
    private final Act act;

    Case(int events, Consumer<StartedController> prepare, Act act) {
      this.events = events;
      this.prepare = prepare;
      this.act = act;
    }

    private static Ceiling ceiling(int percent) {
      return Ceiling.of(IntentPath.parse("voice")).sharePercent(Optional.of(percent)).build();
    }

    private static NamingRules naming(String rule) {
      return NamingDocument.read(Map.of("rules", List.of(Map.of("name", rule, "ignore", true))));
    }

    interface Act {
      Object on(StartedController at, Author author);
    }
  }

  private static KillableStore prepared(Case one) {
    KillableStore store = new KillableStore();
    StartedController first = new StartedController(store, 0);
    first.webhook("told");
    one.prepare.accept(first);
    first.time.pass(Duration.ofSeconds(1));
    store.outbox.keys().forEach(store.outbox::remove);
    return store;
  }

  private static Optional<Object> sent(Case one, StartedController to, Request request) {
    try {
      return Optional.of(one.act.on(to, ANNA.by(Optional.of(request))));
    } catch (KillableStore.Killed now) {
      return Optional.empty();
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void whereverAControllerIsKilledStoreAndLogAgreeAndARepetitionMakesItOnce(Case one) {
    Function<StartedController, Request> named = at -> Request.of("request-1", at.time.instant());
    KillableStore whole = prepared(one);
    List<Object> before = whole.seen();
    int logged = whole.made().size();
    long already = whole.written;
    StartedController unharmed = new StartedController(whole, 1);
    Object answer = sent(one, unharmed, named.apply(unharmed)).orElseThrow();
    List<Object> after = whole.seen();
    List<String> log = whole.made();
    assertThat(whole.eventIds()).hasSize(one.events);
    assertThat(whole.begun.keys()).isEmpty();
    assertThat(after).isNotEqualTo(before);
    long writes = whole.written - already;

    for (int kill = 0; kill < writes; kill++) {
      KillableStore store = prepared(one);
      StartedController first = new StartedController(store, 1);
      Request request = named.apply(first);
      store.left = kill;
      assertThat(sent(one, first, request)).as("killed before write %d", kill).isEmpty();
      store.left = Long.MAX_VALUE;

      StartedController second = new StartedController(store, 2);
      second.time.pass(Duration.ZERO);
      boolean isMade = store.seen().equals(after);
      String at = one + " killed before write " + kill + ", made: " + isMade;
      assertThat(store.seen()).as(at).isIn(before, after);
      assertThat(unnumbered(store.made()))
          .as(at)
          .isEqualTo(unnumbered(isMade ? log : log.subList(0, logged)));
      assertThat(store.begun.keys()).as(at).isEmpty();
      theNewestVersionIsInForce(second, at);
      if (isMade) {
        assertThat(store.eventIds()).as(at).hasSize(one.events);
      }

      Optional<Object> again = sent(one, second, request);
      second.time.pass(Duration.ZERO);
      assertThat(store.seen()).as(at).isEqualTo(after);
      theNewestVersionIsInForce(second, at);
      assertThat(unnumbered(store.made())).as(at).isEqualTo(unnumbered(log));
      assertThat(store.eventIds()).as(at).hasSize(one.events);
      assertThat(text(again.orElseThrow())).as(at).isEqualTo(text(answer));
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void whicheverWriteFailsStoreAndLogAgree(Case one) {
    KillableStore whole = prepared(one);
    List<Object> before = whole.seen();
    int logged = whole.made().size();
    long already = whole.written;
    StartedController unharmed = new StartedController(whole, 1);
    Request named = Request.of("request-1", unharmed.time.instant());
    sent(one, unharmed, named);
    long writes = whole.written - already;
    for (int fail = 0; fail < writes; fail++) {
      KillableStore store = prepared(one);
      StartedController first = new StartedController(store, 1);
      store.failing = fail;
      boolean isMade;
      try {
        sent(one, first, named);
        isMade = true;
      } catch (IllegalStateException refused) {
        isMade = false;
      }
      String at = one + ", failing write " + fail + ": " + store.log();
      theNewestVersionIsInForce(first, at);
      StartedController second = new StartedController(store, 2);
      second.time.pass(Duration.ZERO);
      theNewestVersionIsInForce(second, at);
      assertThat(store.seen()).as(at).isEqualTo(isMade ? whole.seen() : before);
      assertThat(unnumbered(store.made()))
          .as(at)
          .isEqualTo(unnumbered(isMade ? whole.made() : whole.made().subList(0, logged)));
    }
  }

  private static void theNewestVersionIsInForce(StartedController there, String at) {
    assertThat(there.policies.tree()).as(at).isEqualTo(there.versions.inForce().tree());
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
}
