package org.paceline.onos.openflow;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.OpenFlowController;
import org.osgi.framework.BundleContext;
import org.osgi.util.tracker.ServiceTracker;
import org.paceline.control.telemetry.MeterCount;
import org.paceline.control.work.Faults;
import org.paceline.onos.meter.MeterConfigs;
import org.paceline.onos.telemetry.PortCount;
import org.paceline.onos.telemetry.PortQuestions;

/**
 * Asks where ONOS speaks OpenFlow, and nobody where it does not: no OpenFlow type is loaded before
 * its controller was found, so that the application also runs without.
 */
public final class SwitchQuestions implements MeterConfigs, PortQuestions {
  private static final String CONTROLLER = "org.onosproject.openflow.controller.OpenFlowController";
  private static final Duration PATIENCE = Duration.ofMillis(900);

  private final Supplier<@Nullable Object> controller;
  private final TableSizes sizes = new TableSizes(System::nanoTime);
  private final Faults faults;
  private final Duration patience;
  private Optional<Replies> replies = Optional.empty();
  private boolean isClosed;

  /**
   * @param patience how long a switch may take to answer
   */
  SwitchQuestions(Supplier<@Nullable Object> controller, Faults faults, Duration patience) {
    this.controller = controller;
    this.faults = faults;
    this.patience = patience;
  }

  /**
   * @param opened gets what ends the search for the controller
   */
  public static SwitchQuestions open(
      BundleContext bundle, Faults faults, Consumer<AutoCloseable> opened) {
    ServiceTracker<Object, Object> tracker = new ServiceTracker<>(bundle, CONTROLLER, null);
    tracker.open();
    opened.accept(tracker::close);
    SwitchQuestions questions = new SwitchQuestions(tracker::getService, faults, PATIENCE);
    opened.accept(questions::close);
    return questions;
  }

  /** Hears nothing more, also where somebody asks yet: no listener of ours stays with ONOS. */
  synchronized void close() {
    isClosed = true;
    endReplies();
  }

  private void endReplies() {
    replies.ifPresent(Replies::close);
    replies = Optional.empty();
  }

  /**
   * Empty once this is closed. ONOS's controller may be another one than before, and then it knows
   * no listener of ours.
   */
  private synchronized Optional<Replies> repliesOf(Object found) {
    if (!isClosed && replies.filter(known -> known.areOf(found)).isEmpty()) {
      endReplies();
      replies = Optional.of(Replies.of((OpenFlowController) found, patience));
    }
    return replies;
  }

  /** A switch that cannot even be asked is as one that does not answer. */
  private <T> Optional<CompletableFuture<T>> asked(
      DeviceId device, Function<OpenFlowAnswers, CompletableFuture<T>> question) {
    try {
      return answers(device).map(question);
    } catch (RuntimeException | Error bug) {
      written(bug);
      return Optional.of(CompletableFuture.failedFuture(bug));
    }
  }

  private void written(Throwable bug) {
    faults.write("A switch could not be asked or told; it is again", bug);
  }

  private Optional<OpenFlowAnswers> answers(DeviceId device) {
    Object found = controller.get();
    return found == null || !"of".equals(device.uri().getScheme())
        ? Optional.empty()
        : repliesOf(found).flatMap(of -> OpenFlowAnswers.of(of, device));
  }

  @Override
  public Optional<CompletableFuture<Map<Long, MeterConfigs.Config>>> ask(DeviceId device) {
    return asked(device, OpenFlowAnswers::meters);
  }

  @Override
  public Optional<CompletableFuture<Boolean>> change(
      DeviceId device, long meter, MeterConfigs.Config to) {
    return asked(device, answers -> answers.change(meter, to));
  }

  @Override
  public Optional<CompletableFuture<Map<Long, MeterCount>>> count(DeviceId device) {
    return asked(device, OpenFlowAnswers::meterCounts);
  }

  @Override
  public Optional<CompletableFuture<Map<Long, PortCount>>> ports(DeviceId device) {
    return asked(device, OpenFlowAnswers::ports);
  }

  @Override
  public Optional<CompletableFuture<Map<Long, Long>>> queues(DeviceId device) {
    return asked(device, OpenFlowAnswers::droppedByQueues);
  }

  /** How many tables it has; empty where it does not say, and where it cannot even be asked. */
  public Optional<Integer> tables(DeviceId device) {
    try {
      return answers(device).flatMap(OpenFlowAnswers::tables);
    } catch (RuntimeException | Error bug) {
      written(bug);
      return Optional.empty();
    }
  }

  /**
   * How many rules its first table takes. Empty until it has answered, and where it does not; where
   * it cannot even be asked, what it said before stands.
   */
  public Optional<Long> tableSize(DeviceId device) {
    try {
      return answers(device)
          .flatMap(answers -> sizes.of(device, answers.connection(), answers::tableSize));
    } catch (RuntimeException | Error bug) {
      written(bug);
      return sizes.last(device);
    }
  }
}
