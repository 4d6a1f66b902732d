package org.paceline.northbound.restconf;

import com.google.gson.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.paceline.control.api.StateService;
import org.paceline.control.assurance.AlarmChanges;
import org.paceline.control.model.Alarm;
import org.paceline.control.policy.PolicyVersion;
import org.paceline.control.policy.PolicyVersions;
import org.paceline.control.port.Worker;
import org.paceline.control.reservations.Reservation;
import org.paceline.control.reservations.ReservationStep;
import org.paceline.control.reservations.Reservations;
import org.paceline.control.view.StateView;
import org.paceline.control.view.Word;
import org.paceline.northbound.restconf.data.PlanData;
import org.paceline.yang.restconf.EventStreams;
import org.paceline.yang.restconf.message.EventStream;

/**
 * Says what happens in the words of the YANG modules. Plans have a stream of their own, lest they
 * push what is rare out of the log.
 */
public final class Notifications {
  /** Plans may come many times a second; whoever listens hears of one at most. */
  private static final Duration BETWEEN_PLANS = Duration.ofSeconds(1);

  private final EventStream changes;
  private final EventStream plans;
  private long lastPlan;

  private Notifications(Clock clock) {
    changes =
        new EventStream(
            "changes", "Policy versions, reservations and alarms as they change.", clock);
    plans =
        new EventStream("plans", "Each plan that comes into force, one a second at most.", clock);
  }

  /** Tells from now on. RESTCONF finds the streams as a service; closing ends who listens. */
  public static AutoCloseable open(
      BundleContext bundle,
      PolicyVersions versions,
      Reservations reservations,
      StateService state,
      Worker worker,
      Clock clock) {
    EventStreams streams = open(versions, reservations, state, worker, clock);
    ServiceRegistration service =
        bundle.registerService(EventStreams.class.getName(), streams, null);
    return () -> {
      service.unregister();
      streams.close();
    };
  }

  static EventStreams open(
      PolicyVersions versions,
      Reservations reservations,
      StateService state,
      Worker worker,
      Clock clock) {
    Notifications opened = new Notifications(clock);
    versions.onChange(version -> opened.changes.add("paceline-policy:policy-changed", of(version)));
    reservations.onStep(
        (step, reservation) ->
            opened.changes.add("paceline-reservations:reservation-changed", of(step, reservation)));
    state.onAlarms(
        new AlarmChanges(
            alarm -> opened.changes.add("paceline-plan:alarm-raised", of(alarm)),
            alarm -> opened.changes.add("paceline-plan:alarm-cleared", of(alarm))));
    opened.lookAtThePlan(state, worker);
    return new EventStreams(List.of(opened.changes, opened.plans));
  }

  /** Ends with its worker. */
  private void lookAtThePlan(StateService state, Worker worker) {
    worker.every(
        () -> BETWEEN_PLANS,
        () -> {
          StateView now = state.now();
          if (now.plan().version() != lastPlan) {
            lastPlan = now.plan().version();
            JsonObject content = PlanData.outcome(now);
            content.addProperty("unserved", now.unserved());
            plans.add("paceline-plan:plan-changed", content);
          }
        });
  }

  static JsonObject of(PolicyVersion version) {
    return PolicyOperations.json(version);
  }

  static JsonObject of(ReservationStep step, Reservation reservation) {
    JsonObject content = ReservationOperations.json(reservation);
    content.addProperty("step", Word.of(step));
    return content;
  }

  static JsonObject of(Alarm alarm) {
    return PlanData.alarm(alarm);
  }
}
