package org.paceline.onos.queue;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.paceline.onos.flow.Treatment;

/**
 * Managed packets get a DSCP at their first switch. Where a switch honours OpenFlow's set_queue its
 * rules also name the queue; where it does not, the scheduler of its ports goes by the DSCP.
 * Elephants get another DSCP, and ports always go by that.
 */
public final class Separation implements Treatment {
  private final IntSupplier dscp;
  private final IntSupplier elephantDscp;
  private final Function<DeviceId, Optional<Integer>> managedQueue;

  /**
   * @param dscp 0 where managed traffic is not kept apart
   * @param elephantDscp by which ports with two queues tell elephants
   * @param managedQueue empty for a switch whose ports go by the DSCP
   */
  public Separation(
      IntSupplier dscp,
      IntSupplier elephantDscp,
      Function<DeviceId, Optional<Integer>> managedQueue) {
    this.dscp = dscp;
    this.elephantDscp = elephantDscp;
    this.managedQueue = managedQueue;
  }

  @Override
  public boolean isApart() {
    return dscp.getAsInt() > 0;
  }

  @Override
  public void atFirst(DeviceId device, TrafficTreatment.Builder treatment) {
    if (isApart()) {
      treatment.setIpDscp((byte) dscp.getAsInt());
      onward(device, treatment);
    }
  }

  @Override
  public void markElephant(TrafficTreatment.Builder treatment) {
    treatment.setIpDscp((byte) elephantDscp.getAsInt());
  }

  @Override
  public void onward(DeviceId device, TrafficTreatment.Builder treatment) {
    if (isApart()) {
      managedQueue.apply(device).ifPresent(treatment::setQueue);
    }
  }

  @Override
  public void narrow(TrafficSelector.Builder selector) {
    if (isApart()) {
      selector.matchIPDscp((byte) dscp.getAsInt());
    }
  }
}
