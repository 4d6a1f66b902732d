package org.paceline.solve;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.paceline.allocator.Allocator;
import org.paceline.allocator.Guarded;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.exact.OneBottleneck;
import org.paceline.allocator.milp.CpSatCore;
import org.paceline.allocator.milp.MipSolver;
import org.paceline.allocator.milp.PaperMilp;
import org.paceline.allocator.network.NetworkAllocator;

/** The ways to solve that the command offers. */
enum Method {
  /** By the problem: exact where it applies, else network. */
  AUTO(false) {
    @Override
    Allocator allocator(Consumer<String> faults) {
      return new Guarded(faults, new AutoAllocator(WITH_A_CORE), WITH_A_CORE, WITHOUT_ONE);
    }
  },
  /** One bottleneck, to the proven optimum. */
  EXACT(true) {
    @Override
    Allocator allocator(Consumer<String> faults) {
      return new OneBottleneck();
    }
  },
  /** Many bottlenecks, with a certified gap; small ones to the proven optimum. */
  NETWORK(false) {
    @Override
    Allocator allocator(Consumer<String> faults) {
      return new Guarded(faults, WITH_A_CORE, WITHOUT_ONE);
    }
  },
  /** The paper's mixed-integer program in HiGHS: a referee for small problems. */
  MILP(true) {
    @Override
    Allocator allocator(Consumer<String> faults) {
      return new PaperMilp(MipSolver.HIGHS);
    }
  };

  private static final Allocator WITH_A_CORE = new NetworkAllocator(Optional.of(new CpSatCore()));

  /** Where CP-SAT fails or its library is not there for this platform. */
  private static final Allocator WITHOUT_ONE = new NetworkAllocator(Optional.empty());

  private final boolean choosy;

  Method(boolean choosy) {
    this.choosy = choosy;
  }

  /**
   * @param faults gets a sentence for each method that failed, also where another one answers
   */
  abstract Allocator allocator(Consumer<String> faults);

  /** Whether there are good problems that its allocator refuses, by IllegalArgumentException. */
  boolean isChoosy() {
    return choosy;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
