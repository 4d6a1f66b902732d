/**
 * The paper's formulation and its relatives in OR-Tools: referee of the other solvers and baseline
 * of the benchmark. No OR-Tools type leaves this package; nothing else imports one.
 */
package org.paceline.allocator.milp;
