package org.paceline.runtime.providers.openflow;

import com.google.common.collect.ImmutableSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.CompletedBatchOperation;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchEntry;
import org.onosproject.net.flow.oldbatch.FlowRuleBatchOperation;

/**
 * Batches that a switch has not confirmed yet.
 *
 * <p>All messages of a batch carry one transaction id, its closing barrier too: a switch answers
 * the barrier after it has done, or refused, all before it. A batch that is never answered fails.
 */
final class InFlightBatches {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Map<Key, Batch> batches = new ConcurrentHashMap<>();
  private final BiConsumer<Long, CompletedBatchOperation> outcome;
  private final LongSupplier clock;

  InFlightBatches(BiConsumer<Long, CompletedBatchOperation> outcome, LongSupplier nanoClock) {
    this.outcome = outcome;
    this.clock = nanoClock;
  }

  void sent(DeviceId device, long xid, FlowRuleBatchOperation operation) {
    batches.put(new Key(device, xid), new Batch(operation, clock.getAsLong()));
  }

  /** Remembers a rule that the switch refused; without a known cookie the whole batch is. */
  boolean refused(DeviceId device, long xid, Optional<Long> cookie) {
    Batch batch = batches.get(new Key(device, xid));
    if (batch == null) {
      return false;
    }
    batch.refuse(cookie);
    return true;
  }

  /** The switch has done all before its barrier. */
  boolean confirmed(DeviceId device, long xid) {
    Batch batch = batches.remove(new Key(device, xid));
    if (batch == null) {
      return false;
    }
    complete(device, batch);
    return true;
  }

  /** The switch is gone: nobody will answer. */
  void lost(DeviceId device) {
    batches.forEach(
        (key, batch) -> {
          if (key.device.equals(device)) {
            fail(key);
          }
        });
  }

  void failOverdue() {
    long now = clock.getAsLong();
    batches.forEach(
        (key, batch) -> {
          if (now - batch.sentAt > PATIENCE_NANOS) {
            fail(key);
          }
        });
  }

  private void fail(Key key) {
    Batch batch = batches.remove(key);
    if (batch != null) {
      batch.refuse(Optional.empty());
      complete(key.device, batch);
    }
  }

  private void complete(DeviceId device, Batch batch) {
    Set<FlowRule> failed = batch.failed();
    outcome.accept(
        batch.operation.id(), new CompletedBatchOperation(failed.isEmpty(), failed, device));
  }

  private static final class Batch {
    private final FlowRuleBatchOperation operation;
    private final long sentAt;
    private final Set<FlowRule> failed = new HashSet<>();

    Batch(FlowRuleBatchOperation operation, long sentAt) {
      this.operation = operation;
      this.sentAt = sentAt;
    }

    synchronized void refuse(Optional<Long> cookie) {
      for (FlowRuleBatchEntry entry : operation.getOperations()) {
        if (!cookie.isPresent() || cookie.get() == entry.target().id().value()) {
          failed.add(entry.target());
        }
      }
    }

    synchronized Set<FlowRule> failed() {
      return ImmutableSet.copyOf(failed);
    }
  }

  private static final class Key {
    private final DeviceId device;
    private final long xid;

    Key(DeviceId device, long xid) {
      this.device = device;
      this.xid = xid;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key
          && ((Key) other).xid == xid
          && ((Key) other).device.equals(device);
    }

    @Override
    public int hashCode() {
      return device.hashCode() * 31 + Long.hashCode(xid);
    }
  }
}
