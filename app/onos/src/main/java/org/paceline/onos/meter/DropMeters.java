package org.paceline.onos.meter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
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
import org.paceline.allocator.Guarded;
import org.paceline.control.directive.Capabilities;
import org.paceline.control.directive.MeterBurst;
import org.paceline.control.port.Worker;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.intents.unit.DataRate;

/** Drop meters of switches: made, taken back and read. No other class speaks ONOS's meter API. */
public final class DropMeters {
  /** Longer than a switch that is there takes to say that it has a meter. */
  private static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(10);

  private static final int TRIES = 2;

  private final MeterService meters;
  private final MeterConfigs configs;
  private final ApplicationId app;
  private final Worker worker;
  private final MeterQuota quota;

  /**
   * @param switches what each switch can do
   */
  public DropMeters(
      MeterService meters,
      MeterConfigs configs,
      ApplicationId app,
      Worker worker,
      Function<DeviceId, Capabilities> switches) {
    this.meters = meters;
    this.configs = configs;
    this.app = app;
    this.worker = worker;
    this.quota = new MeterQuota(switches);
  }

  MeterQuota quota() {
    return quota;
  }

  /** A meter that was made, or why not. */
  public static final class Made {
    public final Optional<MeterId> meter;

    /** In the switch's word, or ours. */
    public final String problem;

    private final Optional<MeterFailReason> reason;

    private Made(Optional<MeterId> meter, Optional<MeterFailReason> reason, String problem) {
      this.meter = meter;
      this.reason = reason;
      this.problem = problem;
    }

    private static Made of(MeterId meter) {
      return new Made(Optional.of(meter), Optional.empty(), "");
    }

    /** One that ONOS or the switch refused. */
    private static Made refused(MeterFailReason reason) {
      return new Made(Optional.empty(), Optional.of(reason), reason.toString());
    }

    private static Made noRoom(String problem) {
      return new Made(Optional.empty(), Optional.of(MeterFailReason.OUT_OF_METERS), problem);
    }

    static Made failed(Throwable bug) {
      return new Made(Optional.empty(), Optional.empty(), Guarded.reason(bug));
    }

    boolean isRefusedFor(MeterFailReason asked) {
      return reason.filter(asked::equals).isPresent();
    }

    /** Whether one more would be taken where there is one less. */
    boolean isForWantOfRoom() {
      return isRefusedFor(MeterFailReason.OUT_OF_METERS);
    }
  }

  static long kbps(DataRate rate) {
    return Math.max(1, rate.toKbpsFloor());
  }

  /** What a meter of this rate is to do. */
  static MeterConfigs.Config config(long kbps) {
    return MeterConfigs.Config.drop(kbps, MeterBurst.kilobits(kbps));
  }

  /** A meter that is wanted at a switch. */
  private final class Order {
    private final DeviceId device;
    private final Supplier<MeterRequest.Builder> request;

    Order(DeviceId device, Supplier<MeterRequest.Builder> request) {
      this.device = device;
      this.request = request;
    }

    /**
     * A switch may be gone before it has it, or before it says so, and then nobody ever answers. So
     * it is asked after a while; and what it does not have is taken back and ordered again.
     *
     * @param tries how often it is ordered at most
     */
    CompletableFuture<Made> make(int tries) {
      CompletableFuture<Optional<MeterFailReason>> confirmed = new CompletableFuture<>();
      // A store may confirm before it has told us the meter's number.
      Optional<MeterId> id;
      try {
        id =
            Optional.ofNullable(
                    meters.submit(request.get().withContext(confirming(confirmed)).add()))
                .map(Meter::id);
      } catch (RuntimeException | Error bug) {
        // As one that the switch refuses: it is tried again after a while. ONOS throws also where
        // it has no numbers of a switch's meters, as of one that has just gone.
        return CompletableFuture.completedFuture(Made.failed(bug));
      }
      if (id.isEmpty()) {
        confirmed.complete(Optional.of(MeterFailReason.OUT_OF_METERS));
      }
      CompletableFuture<Optional<Made>> answer = new CompletableFuture<>();
      confirmed.thenAccept(
          reason ->
              worker.execute(
                  () ->
                      answer.complete(
                          Optional.of(
                              id.filter(meter -> reason.isEmpty())
                                  .map(Made::of)
                                  .orElseGet(
                                      () ->
                                          Made.refused(
                                              reason.orElse(MeterFailReason.OUT_OF_METERS)))))));
      id.ifPresent(meter -> worker.after(CONFIRMED_WITHIN, () -> lookWhether(meter, answer)));
      return answer.thenCompose(
          made -> made.map(CompletableFuture::completedFuture).orElseGet(() -> again(id, tries)));
    }

    /** Completes the answer with nothing where the switch has no such meter. */
    private void lookWhether(MeterId meter, CompletableFuture<Optional<Made>> answer) {
      if (answer.isDone()) {
        return;
      }
      read(List.of(device))
          .thenAccept(
              reading ->
                  worker.execute(
                      () ->
                          answer.complete(reading.of(device, meter).map(there -> Made.of(meter)))));
    }

    private CompletableFuture<Made> again(Optional<MeterId> lost, int tries) {
      lost.ifPresent(meter -> meters.withdraw(request.get().remove(), meter));
      return tries > 1
          ? make(tries - 1)
          : CompletableFuture.completedFuture(Made.refused(MeterFailReason.TIMEOUT));
    }
  }

  private static MeterContext confirming(CompletableFuture<Optional<MeterFailReason>> confirmed) {
    return new MeterContext() {
      @Override
      public void onSuccess(MeterRequest request) {
        confirmed.complete(Optional.empty());
      }

      @Override
      public void onError(MeterRequest request, MeterFailReason reason) {
        confirmed.complete(Optional.of(reason));
      }
    };
  }

  /**
   * Completes on the worker when the switch has the meter: only then may a rule refer to it; or
   * when it does not come.
   */
  CompletableFuture<Made> make(DeviceId device, long kbps) {
    return new Order(device, () -> request(device, kbps)).make(TRIES);
  }

  /**
   * Completes on the worker, with whether the switch has changed the meter where it is. ONOS still
   * remembers the rate before, and writes that again where a switch has lost its meters; who is led
   * to such a meter gets a new one.
   */
  CompletableFuture<Boolean> change(DeviceId device, MeterId id, long kbps) {
    return configs
        .change(device, id.id(), config(kbps))
        .map(this::onWorker)
        .orElseGet(() -> CompletableFuture.completedFuture(false));
  }

  private CompletableFuture<Boolean> onWorker(CompletableFuture<Boolean> told) {
    CompletableFuture<Boolean> changed = new CompletableFuture<>();
    told.exceptionally(silent -> false)
        .thenAccept(done -> worker.execute(() -> changed.complete(done)));
    return changed;
  }

  /**
   * As {@link #make}, of a meter that lets so many packets a second of a port pass, and as many at
   * once. A switch whose meters count no packets gets one of as many kilobits a second.
   */
  public CompletableFuture<Made> makeForPackets(DeviceId device, long perSecond) {
    Optional<String> full = quota.takeForPort(device);
    if (full.isPresent()) {
      return CompletableFuture.completedFuture(Made.noRoom(full.get()));
    }
    return new Order(device, () -> packets(device, perSecond))
        .make(TRIES)
        .thenCompose(
            made ->
                made.isRefusedFor(MeterFailReason.UNKNOWN_FLAGS)
                    ? make(device, perSecond)
                    : CompletableFuture.completedFuture(made))
        .whenComplete(
            (made, bug) -> {
              if (bug != null || made.meter.isEmpty()) {
                quota.giveBackOfPort(device);
              }
            });
  }

  void withdraw(DeviceId device, MeterId id, long kbps) {
    meters.withdraw(request(device, kbps).remove(), id);
  }

  void withdrawForPackets(DeviceId device, MeterId id, long perSecond) {
    quota.giveBackOfPort(device);
    meters.withdraw(packets(device, perSecond).remove(), id);
  }

  /** What meters do, as it was read at one time. */
  public final class Reading {
    private final Map<DeviceId, Map<Long, MeterConfigs.Config>> answers = new ConcurrentHashMap<>();
    private final Set<DeviceId> remembered = new HashSet<>();

    /** Whether anything can be said of the switch's meters: not where it was silent. */
    boolean knows(DeviceId device) {
      return answers.containsKey(device) || remembered.contains(device);
    }

    /** Whether the switch answered, and has no such meter. */
    public boolean lacks(DeviceId device, MeterId id) {
      return knows(device) && of(device, id).isEmpty();
    }

    /** What the meter does; empty where there is none. */
    Optional<MeterConfigs.Config> of(DeviceId device, MeterId id) {
      Map<Long, MeterConfigs.Config> answer = answers.get(device);
      return answer == null ? recall(device, id) : Optional.ofNullable(answer.get(id.id()));
    }
  }

  /** Asks the switches; where none can be asked, what ONOS remembers stands for the answer. */
  public CompletableFuture<Reading> read(Collection<DeviceId> devices) {
    Reading reading = new Reading();
    List<CompletableFuture<?>> asked = new ArrayList<>();
    for (DeviceId device : devices) {
      Optional<CompletableFuture<Map<Long, MeterConfigs.Config>>> answer = configs.ask(device);
      if (answer.isEmpty()) {
        reading.remembered.add(device);
      } else {
        // One that is silent says nothing of itself, and nothing of the others.
        asked.add(
            answer
                .get()
                .thenAccept(meters -> reading.answers.put(device, meters))
                .exceptionally(silent -> null));
      }
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(all -> reading);
  }

  /** What the switch's meters have counted; completes on the worker, empty where it is silent. */
  CompletableFuture<Map<Long, MeterCount>> count(DeviceId device) {
    CompletableFuture<Map<Long, MeterCount>> counted = new CompletableFuture<>();
    configs
        .count(device)
        .orElseGet(() -> CompletableFuture.completedFuture(Map.of()))
        .exceptionally(silent -> Map.of())
        .thenAccept(counts -> worker.execute(() -> counted.complete(counts)));
    return counted;
  }

  private Optional<MeterConfigs.Config> recall(DeviceId device, MeterId id) {
    Meter meter = meters.getMeter(device, id);
    if (meter == null || meter.state() != MeterState.ADDED) {
      return Optional.empty();
    }
    Band band = meter.bands().iterator().next();
    return Optional.of(
        MeterConfigs.Config.drop(band.rate(), band.burst() == null ? 0 : band.burst()));
  }

  private MeterRequest.Builder packets(DeviceId device, long perSecond) {
    Band band =
        DefaultBand.builder()
            .ofType(Band.Type.DROP)
            .withRate(perSecond)
            .burstSize(perSecond)
            .build();
    return DefaultMeterRequest.builder()
        .forDevice(device)
        .fromApp(app)
        .withUnit(Meter.Unit.PKTS_PER_SEC)
        .withBands(List.of(band))
        .burst();
  }

  private MeterRequest.Builder request(DeviceId device, long kbps) {
    Band band =
        DefaultBand.builder()
            .ofType(Band.Type.DROP)
            .withRate(kbps)
            .burstSize(MeterBurst.kilobits(kbps))
            .build();
    return DefaultMeterRequest.builder()
        .forDevice(device)
        .fromApp(app)
        // KB_PER_SEC means kilobits, despite its name.
        .withUnit(Meter.Unit.KB_PER_SEC)
        .withBands(List.of(band))
        .burst();
  }
}
