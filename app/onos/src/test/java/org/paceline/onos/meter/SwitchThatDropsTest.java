package org.paceline.onos.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Meter;
import org.paceline.control.directive.Pace;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/**
 * A conversation is metered, and then at another rate on another path, by a switch that goes and
 * comes back between any two messages of this. However that falls, it ends right.
 */
final class SwitchThatDropsTest {
  private static final long KBPS = 2_000;

  private static final class Run extends DroppingRun {
    private long kbps = 4_000;
    private boolean isOut;

    Run(Moment moment) {
      super(moment);
    }

    @Override
    void order() {
      isOut = false;
      rules.install(MeterRig.FLOOD, path).thenRun(() -> worker.execute(this::limit));
    }

    @Override
    void orderAnew() {
      kbps = KBPS;
      if (!isOut) {
        worker.execute(this::order);
      }
    }

    private void limit() {
      if (!isOut) {
        meters.limit(
            "h",
            1,
            Map.of(
                MeterRig.FLOOD,
                Meter.insteadOf(
                    Pace.of(
                        SchemeName.UTILITY_FAIR,
                        Directive.Reason.GRANTED,
                        MeterRig.FLOOD.id(),
                        DataRate.ofKilobitsPerSecond(kbps)))));
      }
    }

    @Override
    void refused(ConversationId id) {
      if (!isOut) {
        isOut = true;
        rules.remove(MeterRig.FLOOD);
        meters.release(MeterRig.FLOOD);
        worker.after(Duration.ofSeconds(10), this::order);
      }
    }

    @Override
    void mustBeRight(String when) {
      mustBeRight(when, Map.of(MeterRig.FLOOD.id(), KBPS));
    }
  }

  @Test
  void itEndsRightWheneverTheSwitchGoesAndComesBack() {
    itEndsRight(false);
  }

  /** The meter that comes back is at the rate before it was changed. */
  @Test
  void itEndsRightWhereOnosBringsMetersBack() {
    itEndsRight(true);
  }

  private static void itEndsRight(boolean bringsBack) {
    DroppingRun undisturbed = DroppingRun.endsRightAtEachMoment(Run::new, bringsBack);
    assertThat(undisturbed.first.made()).as("changed where it is").isEqualTo(1);
  }
}
