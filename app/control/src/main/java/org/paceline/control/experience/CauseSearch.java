package org.paceline.control.experience;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.paceline.control.model.TcpReading;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.kpi.LikelyCause;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/**
 * Why a user may experience less than was predicted, by what is measured anyway. In this order, for
 * the earlier ones explain the later: who waits for packets, or for the other end, sends less.
 */
final class CauseSearch {
  /** Of the time with something to send: less is the end of a transfer, or a short pause. */
  private static final int FAR_END_THOUSANDTHS = 200;

  /**
   * Of full size, by TCP small queues, that wait in the host for their turn at the granted rate.
   */
  private static final int WAITING_FRAME_BITS = 3 * 1_514 * 8;

  /** A KPI of all models of speech. */
  private static final String MOUTH_TO_EAR = "delay_ms";

  /**
   * What phones take themselves: 20 ms of speech a packet, and 40 ms that they wait for late ones.
   * Tables of calls were measured by such a phone.
   */
  private static final double PHONES_OWN_MILLIS = 60;

  /** Half of the least difference that is an alarm. */
  private static final long CLEARLY_BETTER = Utility.SCALE / 4;

  private static final double NANOS_PER_MILLI = 1e6;

  private CauseSearch() {}

  /**
   * @param roundTrip what is granted of both directions together
   * @param mostSent in one second since it is so; empty where nobody counted yet
   */
  static LikelyCause likely(
      Experience felt,
      Grant grant,
      Latency roundTrip,
      Optional<TcpReading> tcp,
      Optional<DataRate> mostSent) {
    if (isLate(felt, grant, roundTrip, tcp)) {
      return LikelyCause.DELAY_ABOVE_BUDGET;
    }
    if (tcp.isPresent() && tcp.get().farEndThousandths().orElse(0) > FAR_END_THOUSANDTHS) {
      return LikelyCause.FAR_END_SLOW;
    }
    long half = grant.rate().bitsPerSecond() / 2;
    if (mostSent.filter(most -> most.bitsPerSecond() < half).isPresent()) {
      // A terminal sends little however fast it may: who answers late is the other end.
      return felt.model() == KpiModel.SSH
          ? LikelyCause.FAR_END_SLOW
          : LikelyCause.DEMAND_BELOW_GRANT;
    }
    return LikelyCause.TABLE_WRONG;
  }

  private static boolean isLate(
      Experience felt, Grant grant, Latency roundTrip, Optional<TcpReading> tcp) {
    KpiReading mouthToEar = felt.kpis().get(MOUTH_TO_EAR);
    if (mouthToEar != null) {
      return isSpeechLate(felt, mouthToEar, grant.delay(), roundTrip);
    }
    double inHost = 1e3 * WAITING_FRAME_BITS / Math.max(1, grant.rate().bitsPerSecond());
    return tcp.flatMap(TcpReading::smoothedRtt)
        .filter(rtt -> rtt.millis().doubleValue() > roundTrip.millis().doubleValue() + inHost)
        .isPresent();
  }

  /**
   * Whether its model would call it clearly better, had the network only taken what was granted.
   * The number alone does not tell: it has the phones' own time, which differs from phone to phone,
   * and nobody minds the first 100 ms. Nor does it say of which direction it is, so the greater
   * grant counts.
   */
  private static boolean isSpeechLate(
      Experience felt, KpiReading mouthToEar, Latency granted, Latency roundTrip) {
    long network = Math.max(granted.nanos(), roundTrip.nanos() - granted.nanos());
    double inTime = network / NANOS_PER_MILLI + PHONES_OWN_MILLIS;
    if (mouthToEar.value() <= inTime) {
      return false;
    }
    Map<String, KpiReading> kpis = new HashMap<>(felt.kpis());
    kpis.put(MOUTH_TO_EAR, KpiReading.of(inTime, mouthToEar.at()));
    return felt.utility().isPresent()
        && felt.model()
            .experience(kpis)
            .flatMap(Experience::utility)
            .filter(then -> then.billionths() - felt.utility().get().billionths() > CLEARLY_BETTER)
            .isPresent();
  }
}
