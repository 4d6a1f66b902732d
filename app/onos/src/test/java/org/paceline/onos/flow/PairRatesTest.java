package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.meter.MeterId;
import org.paceline.control.model.Conversation;

/** Two conversations of a pair whose meters are changed where they are. */
final class PairRatesTest {
  private static final Conversation ONE = Mesh.conversation("one", 6000);
  private static final Conversation OTHER = Mesh.conversation("other", 6001);

  private final StepWorker worker = new StepWorker();
  private final RecordedSwitches switches = new RecordedSwitches(1);
  private int lookedUp;
  private final ConversationRules rules =
      switches.led(
          Mesh.nextHops(this::isInSight), Treatment.ALIKE, () -> 100, worker, (id, why) -> {});

  private boolean isInSight() {
    lookedUp++;
    return true;
  }

  private static Optional<PassedMeter> meter(int number, long kbps) {
    return Optional.of(PassedMeter.of(MeterId.meterId(number), kbps));
  }

  private List<MeterId> ofFragments() {
    return switches.rules(Mesh.device(1)).stream()
        .filter(RecordedSwitches::isOfFragments)
        .flatMap(rule -> rule.treatment().meters().stream())
        .map(meter -> meter.meterId())
        .collect(Collectors.toList());
  }

  @Test
  void aRateThatChangesLooksAtNoRuleOfThePairUntilFragmentsAreLookedAt() {
    rules.install(ONE, Mesh.over(1, 2, 5));
    rules.install(OTHER, Mesh.over(1, 2, 5));
    rules.meter(ONE, meter(1, 1_000));
    rules.meter(OTHER, meter(2, 500));
    worker.passTime();
    assertThat(ofFragments()).containsExactly(MeterId.meterId(1));

    lookedUp = 0;
    assertThat(rules.meter(OTHER, meter(2, 2_000))).isCompletedWithValue(true);
    assertThat(lookedUp).isZero();

    worker.passTime();
    assertThat(ofFragments()).containsExactly(MeterId.meterId(2));
  }
}
