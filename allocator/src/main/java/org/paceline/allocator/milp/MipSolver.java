package org.paceline.allocator.milp;

/** The mixed-integer solvers that OR-Tools brings along. */
public enum MipSolver {
  HIGHS,
  SCIP
}
