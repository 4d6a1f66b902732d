package org.paceline.control.planning;

import java.util.Map;
import java.util.function.Predicate;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.port.Worker;
import org.paceline.control.scheme.Observations;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.DataRate;

/** What schemes are told of what conversations send, each in its own period. On the worker. */
final class Measurements {
  private final ThroughputAverages averages = new ThroughputAverages();
  private final RateHistories histories = new RateHistories();
  private final MeasuringPeriod ofClasses;
  private final MeasuringPeriod ofReservations;
  private PlannerSettings settings;

  /**
   * @param isMoved whether what was seen is a reason to decide anew
   */
  Measurements(
      Worker worker,
      ProofBook book,
      PlannerSettings settings,
      Predicate<Observations> isMoved,
      Runnable replan) {
    this.settings = settings;
    this.ofClasses =
        new MeasuringPeriod(
            worker,
            new MeasuringPeriod.Measurement() {
              @Override
              public boolean measure() {
                Map<String, DataRate> before = averages.now();
                averages.measure(book.all(), delta());
                return !averages.now().equals(before);
              }

              @Override
              public void clear() {
                averages.clear();
              }
            },
            replan);
    this.ofReservations =
        new MeasuringPeriod(
            worker,
            new MeasuringPeriod.Measurement() {
              @Override
              public boolean measure() {
                histories.measure(book.all());
                return isMoved.test(histories.now());
              }

              @Override
              public void clear() {
                histories.clear();
              }
            },
            replan);
  }

  private double delta() {
    return settings.classes().delta();
  }

  /** What is known at this moment, for a plan with these demands. */
  void tell(Demands demands, PlannerSettings now) {
    settings = now;
    ofClasses.planned(now.classes().period(), !demands.classes.isEmpty());
    ofReservations.planned(now.adaptive().period(), !demands.reservations.isEmpty());
    demands.throughput = averages.now();
    demands.observations = histories.now();
  }
}
