package org.paceline.control.scheme.reservation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.allocator.reservation.DemandEstimate;
import org.paceline.allocator.reservation.Loan;
import org.paceline.control.scheme.Scheme;

/** What the scheme goes on with: who is taken to want what, and what is lent to whom. */
final class Lending implements Scheme.Memory {
  static final Lending NOTHING = new Lending(0, Map.of(), List.of());

  private final long period;
  private final Map<String, DemandEstimate> demands;
  private final List<Loan> loans;

  /**
   * @param period the last that counts in the demands
   */
  Lending(long period, Map<String, DemandEstimate> demands, List<Loan> loans) {
    this.period = period;
    this.demands = Map.copyOf(demands);
    this.loans = loans;
  }

  long period() {
    return period;
  }

  /** By application id. */
  Map<String, DemandEstimate> demands() {
    return demands;
  }

  Optional<DemandEstimate> demand(String application) {
    return Optional.ofNullable(demands.get(application));
  }

  List<Loan> loans() {
    return loans;
  }
}
