package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.paceline.protocol.UnknownIntent;

class RefusalTextTest {
  private static final UnknownIntent ALONE =
      UnknownIntent.newBuilder().setIntent("voip/g729").setServedAs("voip").build();

  @Test
  void anUnknownIntentSaysWhatItIsServedAsAndWhatMayHaveBeenMeant() {
    assertThat(RefusalText.of(ALONE.toBuilder().addNearest("voip/g729.1").build()))
        .isEqualTo(
            "the controller does not know the intent (voip/g729) of the rules here and serves it"
                + " as (voip). Maybe you meant one of voip/g729.1, or have it created there.");
    assertThat(RefusalText.of(ALONE)).endsWith("(voip). Maybe have it created there.");
  }
}
