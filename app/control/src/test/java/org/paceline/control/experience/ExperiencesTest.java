package org.paceline.control.experience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.paceline.control.experience.Talking.kpis;
import static org.paceline.control.experience.Talking.proof;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.ManualWorker;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Proof;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.unit.Utility;

final class ExperiencesTest {
  private static final Duration LIFE = Duration.ofMinutes(2);

  private final ManualWorker clock = new ManualWorker();
  private final ProofBook book = new ProofBook();
  private final Experiences experiences = new Experiences(book, () -> LIFE, clock);

  @Test
  void whatAnApplicationReportsIsAUtilityUntilItIsTooOld() {
    Proof page = proof("h1", Talking.PAGE, "10.0.0.1", "10.0.0.2");
    report(page, "page_load_s", 10.0, "rtt_ms", 3.0);
    assertThat(utility(page)).hasValueSatisfying(u -> assertThat(u).isCloseTo(2.694, within(1e-3)));
    clock.pass(LIFE);
    experiences.refresh();
    assertThat(utility(page)).isPresent();
    clock.pass(Duration.ofMillis(1));
    experiences.refresh();
    assertThat(utility(page)).isEmpty();
    assertThat(known(page).experience()).isEmpty();
    assertThat(known(page).kpis()).isEmpty();
  }

  @Test
  void theOppositeDirectionIsOfTheSameExperience() {
    Proof up = proof("h1", Talking.PAGE, "10.0.0.1", "10.0.0.2");
    Proof down = proof("h2", Talking.PAGE, "10.0.0.2", "10.0.0.1");
    Proof ofAnother = proof("h3", Talking.PAGE, "10.0.0.3", "10.0.0.1");
    Proof otherIntent = proof("h2", Talking.TERMINAL, "10.0.0.2", "10.0.0.1");
    book.put(down);
    book.put(ofAnother);
    book.put(otherIntent);
    report(up, "page_load_s", 10.0);
    assertThat(utility(down)).isPresent().isEqualTo(utility(up));
    assertThat(utility(ofAnother)).isEmpty();
    assertThat(utility(otherIntent)).isEmpty();
    // Who measures itself knows better.
    report(down, "page_load_s", 1.0);
    assertThat(utility(down)).isPresent().isNotEqualTo(utility(up));
    book.remove(up.conversation().id());
    book.change(down.conversation().id(), p -> p.kpis(Map.of()));
    experiences.refresh();
    assertThat(utility(down)).isEmpty();
  }

  @Test
  void ofSeveralBetweenTheSameEndsItIsTheOneWithTheSamePorts() {
    Proof up = proof("h1", Talking.PAGE, "10.0.0.1", "10.0.0.2", 80);
    Proof down = answer("h2", 80);
    Proof other = answer("h2", 81);
    book.put(down);
    book.put(other);
    report(up, "page_load_s", 10.0);
    assertThat(utility(down)).isPresent();
    assertThat(utility(other)).isEmpty();
  }

  private static Proof answer(String host, int port) {
    Proof any = proof(host, Talking.PAGE, "10.0.0.2", "10.0.0.1", port);
    return any.toBuilder()
        .conversation(any.conversation().toBuilder().localPort(port).remotePort(0).build())
        .build();
  }

  @Test
  void anAbsurdValueIsShownAndMakesNoUtility() {
    Proof page = proof("h1", Talking.PAGE, "10.0.0.1", "10.0.0.2");
    report(page, "page_load_s", -1.0);
    assertThat(utility(page)).isEmpty();
    assertThat(known(page).experience().map(Experience::text))
        .contains("page_load_s -1: page_load_s must be from 0 to 86400");
  }

  @Test
  void withoutAModelKpisStayNumbers() {
    Proof unnamed = proof("h1", "", "10.0.0.1", "10.0.0.2");
    report(unnamed, "page_load_s", 1.0);
    assertThat(known(unnamed).experience()).isEmpty();
    assertThat(known(unnamed).kpis()).containsOnlyKeys("page_load_s");
  }

  private void report(Proof proof, Object... namesAndValues) {
    book.put(proof.toBuilder().kpis(kpis(clock.instant(), namesAndValues)).build());
    experiences.refresh();
  }

  private Proof known(Proof proof) {
    return book.find(proof.conversation().id()).orElseThrow();
  }

  private Optional<Double> utility(Proof proof) {
    return known(proof)
        .experience()
        .flatMap(Experience::utility)
        .map(Utility::value)
        .map(BigDecimal::doubleValue);
  }
}
