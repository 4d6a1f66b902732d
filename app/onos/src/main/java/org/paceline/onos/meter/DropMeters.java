package org.paceline.onos.meter;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.meter.Band;
import org.onosproject.net.meter.DefaultBand;
import org.onosproject.net.meter.DefaultMeterRequest;
import org.onosproject.net.meter.Meter;
import org.onosproject.net.meter.MeterContext;
import org.onosproject.net.meter.MeterFailReason;
import org.onosproject.net.meter.MeterId;
import org.onosproject.net.meter.MeterRequest;
import org.onosproject.net.meter.MeterService;
import org.onosproject.net.meter.MeterState;
import org.paceline.control.port.Worker;
import org.paceline.intents.unit.DataRate;

/** Drop meters of switches: made, taken back and read. No other class speaks ONOS's meter API. */
final class DropMeters {
  /** A burst of 125 ms at the rate: shorter starves TCP, longer lets the queues fill. */
  private static final long BURSTS_PER_SECOND = 8;

  private final MeterService meters;
  private final ApplicationId app;
  private final Worker worker;

  DropMeters(MeterService meters, ApplicationId app, Worker worker) {
    this.meters = meters;
    this.app = app;
    this.worker = worker;
  }

  /** A meter that was made, or the reason why not. */
  static final class Made {
    final Optional<MeterId> meter;
    final String problem;

    private Made(Optional<MeterId> meter, String problem) {
      this.meter = meter;
      this.problem = problem;
    }
  }

  static long kbps(DataRate rate) {
    return Math.max(1, rate.toKbpsFloor());
  }

  private static long burst(long kbps) {
    return Math.max(1, kbps / BURSTS_PER_SECOND);
  }

  /** For a person, and to compare with what was read. */
  static String describe(long kbps) {
    return kbps + " kbit/s, burst " + burst(kbps) + " kbit";
  }

  /** Completes on the worker when the switch has the meter: only then may a rule refer to it. */
  CompletableFuture<Made> make(DeviceId device, long kbps) {
    // A store may confirm before it has told us the meter's number.
    CompletableFuture<String> confirmed = new CompletableFuture<>();
    MeterContext context =
        new MeterContext() {
          @Override
          public void onSuccess(MeterRequest request) {
            confirmed.complete("");
          }

          @Override
          public void onError(MeterRequest request, MeterFailReason reason) {
            confirmed.complete(refusal(device, reason));
          }
        };
    Optional<MeterId> id =
        Optional.ofNullable(meters.submit(request(device, kbps, Optional.of(context)).add()))
            .map(Meter::id);
    if (id.isEmpty()) {
      confirmed.complete(refusal(device, MeterFailReason.OUT_OF_METERS));
    }
    CompletableFuture<Made> made = new CompletableFuture<>();
    confirmed.thenAccept(
        problem ->
            worker.execute(
                () -> made.complete(new Made(problem.isEmpty() ? id : Optional.empty(), problem))));
    return made;
  }

  private static String refusal(DeviceId device, MeterFailReason reason) {
    return "The switch (" + device + ") refused a meter: " + reason + ".";
  }

  void withdraw(DeviceId device, MeterId id, long kbps) {
    meters.withdraw(request(device, kbps, Optional.empty()).remove(), id);
  }

  /** What a meter does by what ONOS read of the switch, as {@link #describe} says it. */
  String read(DeviceId device, MeterId id) {
    Meter meter = meters.getMeter(device, id);
    if (meter == null || meter.state() != MeterState.ADDED) {
      return "";
    }
    Band band = meter.bands().iterator().next();
    return band.rate() + " kbit/s, burst " + (band.burst() == null ? 0 : band.burst()) + " kbit";
  }

  private MeterRequest.Builder request(DeviceId device, long kbps, Optional<MeterContext> context) {
    Band band =
        DefaultBand.builder().ofType(Band.Type.DROP).withRate(kbps).burstSize(burst(kbps)).build();
    MeterRequest.Builder builder =
        DefaultMeterRequest.builder()
            .forDevice(device)
            .fromApp(app)
            // KB_PER_SEC means kilobits, despite its name.
            .withUnit(Meter.Unit.KB_PER_SEC)
            .withBands(List.of(band))
            .burst();
    return context.map(builder::withContext).orElse(builder);
  }
}
