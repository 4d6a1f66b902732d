package org.paceline.control.experience;

import java.util.Optional;
import org.paceline.control.model.TcpReading;
import org.paceline.intents.kpi.Experience;
import org.paceline.intents.kpi.KpiModel;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.kpi.LikelyCause;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

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
    Optional<Double> oneWay =
        Optional.ofNullable(felt.kpis().get("delay_ms")).map(KpiReading::value);
    if (oneWay.isPresent()) {
      return oneWay.get() > grant.delay().millis().doubleValue();
    }
    double inHost = 1e3 * WAITING_FRAME_BITS / Math.max(1, grant.rate().bitsPerSecond());
    return tcp.flatMap(TcpReading::smoothedRtt)
        .filter(rtt -> rtt.millis().doubleValue() > roundTrip.millis().doubleValue() + inHost)
        .isPresent();
  }
}
