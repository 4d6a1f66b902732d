package org.paceline.control.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Unserved;

/** Directives that no device can carry out are refused before a plan makes room for them. */
final class IncapableDevicesTest {
  private final Office office = new Office();

  @Test
  void whoNobodyCanMeterTakesNothingFromOthersAndIsToldWhy() {
    office.capabilities.put("s1", meters(0));
    office.open(Office.conversation(2, "w", "files/copy"));
    office.settle();
    long alone = office.grant("h2", "w");
    int batches = office.batches;
    office.open(Office.metered(1, "a", ""));
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.UNSERVED);
    assertThat(office.proof("h1", "a").unserved())
        .contains(Unserved.of(Unserved.Code.NO_METERS, "s1"));
    assertThat(office.proof("h1", "a").reason()).startsWith("The switch (s1) has no meters. Maybe");
    assertThat(office.grant("h2", "w")).isEqualTo(alone);
    assertThat(office.batches).as("nobody is told another rate").isEqualTo(batches);
    assertThat(office.planner.plan().directives().about(ConversationId.of("h1", "a"))).isEmpty();
    assertThat(office.led).isEmpty();
  }

  @Test
  void asSoonAsTheSwitchHasMetersItIsServed() {
    office.capabilities.put("s1", meters(0));
    office.open(Office.metered(1, "a", ""));
    office.settle();
    office.worker.pass(Duration.ofSeconds(25));
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.UNSERVED);
    office.capabilities.put("s1", meters(10));
    office.worker.pass(Duration.ofSeconds(11));
    office.settle();
    assertThat(office.proof("h1", "a").state()).isEqualTo(ConversationState.GRANTED);
    assertThat(office.proof("h1", "a").unserved()).isEmpty();
  }

  @Test
  void whoHasAnAgentNeedsNoMeterAndAnUnknownSwitchIsTried() {
    office.capabilities.put("s1", meters(0));
    office.open(Office.conversation(1, "paced", ""));
    office.settle();
    assertThat(office.proof("h1", "paced").state()).isEqualTo(ConversationState.GRANTED);
    office.capabilities.clear();
    office.open(Office.metered(2, "a", ""));
    office.settle();
    assertThat(office.proof("h2", "a").state()).isEqualTo(ConversationState.GRANTED);
  }

  private static Capabilities meters(long meters) {
    return Capabilities.ofSwitch("s1")
        .meters(Optional.of(meters))
        .metersAllowed(100)
        .rulesAllowed(100)
        .build();
  }
}
