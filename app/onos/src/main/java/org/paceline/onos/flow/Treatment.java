package org.paceline.onos.flow;

import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** How managed packets are told and kept apart from all others. */
public interface Treatment {
  /** Whether every conversation needs a rule at its first hop, whatever way it goes. */
  boolean isApart();

  /** What a conversation's first switch does with its packets before they leave. */
  void atFirst(DeviceId device, TrafficTreatment.Builder treatment);

  /** What the first switch of an elephant does instead. */
  void markElephant(TrafficTreatment.Builder treatment);

  /** What every later switch does. */
  void onward(DeviceId device, TrafficTreatment.Builder treatment);

  /** Narrows a later switch's match to managed packets. */
  void narrow(TrafficSelector.Builder selector);

  /** All packets are alike. */
  Treatment ALIKE =
      new Treatment() {
        @Override
        public boolean isApart() {
          return false;
        }

        @Override
        public void atFirst(DeviceId device, TrafficTreatment.Builder treatment) {}

        @Override
        public void markElephant(TrafficTreatment.Builder treatment) {}

        @Override
        public void onward(DeviceId device, TrafficTreatment.Builder treatment) {}

        @Override
        public void narrow(TrafficSelector.Builder selector) {}
      };
}
