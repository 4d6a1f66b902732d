package org.paceline.allocator.network.cells;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.paceline.allocator.network.groups.Profile;

/**
 * Link prices that bound the sum where each type shares one of the cells that are left to it: the
 * linear programme in which a type may mix cells and ways, by the revised simplex method. Its
 * columns, a cell and a way for each group, are made where prices ask for them; the basis has one
 * row for each link and each type.
 *
 * <p>Prices are a proof however they were found (weak duality), so rounding costs at most time.
 */
final class CellPrices {
  /** What a cell is worth that is no longer left: so little that the programme avoids it. */
  private static final double NEVER = -1e5;

  private static final double SMALL = 1e-9;
  private static final double TIE = 1e-12;
  private static final int MOST_PIVOTS = 400;

  /** More than the arithmetic of a bound can be off, as a part of its terms. */
  private static final double ROUND_OFF = 1e-12;

  /** A way to serve a type, or a link's slack. */
  static final class Column {
    private static final int SLACK = -1;
    private static final int STOPGAP = -1;
    private final int type;
    private final int cell;

    /** The share of each link's limit that it takes, then a 1 for its type. */
    private final double[] entries;

    private Column(int type, int cell, double[] entries) {
      this.type = type;
      this.cell = cell;
      this.entries = entries;
    }
  }

  private final TypeCells cells;
  private final int links;
  private final int rows;
  private final double[] limits;
  private final BitSet[] left;
  private final Column[] basis;
  private final double[][] inverse;
  private final double[] shares;
  private double[] prices;
  private double bound = Double.POSITIVE_INFINITY;

  /** What the terms of the bound add up to without their signs. */
  private double magnitude;

  /**
   * @param left the cells that each type may take, at least one
   * @param start the basis of a programme with more cells; empty if there is none
   */
  CellPrices(TypeCells cells, BitSet[] left, Column[] start) {
    this.cells = cells;
    this.links = cells.links();
    this.rows = links + cells.types();
    this.left = left;
    this.limits = new double[links];
    Arrays.setAll(limits, e -> Math.max(1, cells.limit(e)));
    this.basis = start.length == 0 ? stopgap() : start.clone();
    this.inverse = new double[rows][rows];
    this.shares = new double[rows];
    this.prices = new double[links];
  }

  private Column[] stopgap() {
    Column[] columns = new Column[rows];
    for (int r = 0; r < rows; r++) {
      columns[r] = r < links ? slack(r) : new Column(r - links, Column.STOPGAP, unit(r));
    }
    return columns;
  }

  private Column slack(int link) {
    return new Column(Column.SLACK, Column.STOPGAP, unit(link));
  }

  private double[] unit(int row) {
    double[] unit = new double[rows];
    unit[row] = 1;
    return unit;
  }

  /** Until the programme is solved, or its bound is down to the sum, in billionths. */
  CellPrices run(long enough) {
    invert();
    for (int pivots = 0; pivots < MOST_PIVOTS; pivots++) {
      Optional<Column> entering = entering(dual());
      if (bound() <= enough || entering.isEmpty() || !pivot(entering.get())) {
        break;
      }
    }
    return this;
  }

  private double value(Column column) {
    if (column.type == Column.SLACK) {
      return 0;
    }
    return column.cell != Column.STOPGAP && left[column.type].get(column.cell)
        ? cells.cell(column.type, column.cell).utility / Profile.SCALE
        : NEVER;
  }

  private double[] dual() {
    double[] dual = new double[rows];
    for (int r = 0; r < rows; r++) {
      double value = value(basis[r]);
      for (int i = 0; value != 0 && i < rows; i++) {
        dual[i] += value * inverse[r][i];
      }
    }
    return dual;
  }

  /**
   * What the programme gains most by; on the way the bound that its prices give is noted.
   *
   * @param dual of whole links, then of types
   */
  private Optional<Column> entering(double[] dual) {
    double[] trial = new double[links];
    int cheapest = 0;
    double sum = 0;
    for (int e = 0; e < links; e++) {
      trial[e] = Math.max(0, dual[e]) / limits[e];
      sum += trial[e] * limits[e];
      cheapest = dual[e] < dual[cheapest] ? e : cheapest;
    }
    double terms = sum;
    double gain = Math.max(SMALL, -dual[cheapest]);
    int type = Column.SLACK;
    int cell = Column.STOPGAP;
    for (int t = 0; t < cells.types(); t++) {
      double[] costs = cells.costs(t, trial);
      int best = best(t, costs);
      double worth = worth(t, best, costs);
      sum += worth;
      terms += Math.abs(worth) + cells.cell(t, best).utility / Profile.SCALE;
      if (worth - dual[links + t] > gain) {
        gain = worth - dual[links + t];
        type = t;
        cell = best;
      }
    }
    if (sum < bound) {
      bound = sum;
      magnitude = terms;
      prices = trial;
    }
    if (type != Column.SLACK) {
      return Optional.of(column(type, cell, trial));
    }
    return dual[cheapest] < -SMALL ? Optional.of(slack(cheapest)) : Optional.empty();
  }

  private Column column(int type, int cell, double[] at) {
    TypeCells.Cell chosen = cells.cell(type, cell);
    double[] entries = unit(links + type);
    double[] users = cells.users(type, chosen.menu, at);
    for (int e = 0; e < links; e++) {
      entries[e] = users[e] * chosen.rate / limits[e];
    }
    return new Column(type, cell, entries);
  }

  private double worth(int type, int cell, double[] costs) {
    TypeCells.Cell of = cells.cell(type, cell);
    return of.utility / Profile.SCALE - of.rate * costs[of.menu];
  }

  private int best(int type, double[] costs) {
    int best = left[type].nextSetBit(0);
    for (int c = best; c >= 0; c = left[type].nextSetBit(c + 1)) {
      best = worth(type, c, costs) > worth(type, best, costs) ? c : best;
    }
    return best;
  }

  /** False where no column can leave, which only rounding makes possible. */
  private boolean pivot(Column entering) {
    double[] change = new double[rows];
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < rows; i++) {
        change[r] += inverse[r][i] * entering.entries[i];
      }
    }
    int leaving = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int r = 0; r < rows; r++) {
      if (change[r] > SMALL) {
        double ratio = Math.max(0, shares[r]) / change[r];
        if (ratio < least - TIE || (ratio < least + TIE && change[r] > change[leaving])) {
          least = Math.min(least, ratio);
          leaving = r;
        }
      }
    }
    if (leaving < 0) {
      return false;
    }
    double by = shares[leaving] / change[leaving];
    for (int i = 0; i < rows; i++) {
      inverse[leaving][i] /= change[leaving];
    }
    for (int r = 0; r < rows; r++) {
      if (r != leaving && change[r] != 0) {
        for (int i = 0; i < rows; i++) {
          inverse[r][i] -= change[r] * inverse[leaving][i];
        }
        shares[r] -= change[r] * by;
      }
    }
    shares[leaving] = by;
    basis[leaving] = entering;
    return true;
  }

  /** Gauss and Jordan, with the greatest pivot of each column. */
  private void invert() {
    double[][] matrix = new double[rows][2 * rows];
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < rows; i++) {
        matrix[i][r] = basis[r].entries[i];
      }
      matrix[r][rows + r] = 1;
    }
    for (int c = 0; c < rows; c++) {
      int greatest = c;
      for (int r = c + 1; r < rows; r++) {
        greatest = Math.abs(matrix[r][c]) > Math.abs(matrix[greatest][c]) ? r : greatest;
      }
      double[] row = matrix[greatest];
      matrix[greatest] = matrix[c];
      matrix[c] = row;
      double pivot = row[c];
      for (int i = c; i < 2 * rows; i++) {
        row[i] /= pivot;
      }
      for (int r = 0; r < rows; r++) {
        double times = matrix[r][c];
        for (int i = c; r != c && times != 0 && i < 2 * rows; i++) {
          matrix[r][i] -= times * row[i];
        }
      }
    }
    for (int r = 0; r < rows; r++) {
      inverse[r] = Arrays.copyOfRange(matrix[r], rows, 2 * rows);
      // All limits are 1, and so is what each type takes.
      shares[r] = Arrays.stream(inverse[r]).sum();
    }
  }

  /** In billionths, rounded up by more than the arithmetic can be off. */
  long bound() {
    double safe = (bound + magnitude * ROUND_OFF) * Profile.SCALE + 1;
    return safe < 0x1p62 ? (long) Math.ceil(safe) : Long.MAX_VALUE;
  }

  /** By how much, in billionths, the bound falls at least where the type takes a cell. */
  double[] losses(int type) {
    double[] costs = cells.costs(type, prices);
    double most = worth(type, best(type, costs), costs);
    double[] losses = new double[cells.cells(type)];
    for (int c = 0; c < losses.length; c++) {
      double terms = magnitude + cells.cell(type, c).rate * costs[cells.cell(type, c).menu];
      losses[c] = (most - worth(type, c, costs) - terms * ROUND_OFF) * Profile.SCALE;
    }
    return losses;
  }

  /** What part of the type takes each cell. */
  double[] mix(int type) {
    double[] mix = new double[cells.cells(type)];
    for (int r = 0; r < rows; r++) {
      if (basis[r].type == type && basis[r].cell != Column.STOPGAP) {
        mix[basis[r].cell] += Math.max(0, shares[r]);
      }
    }
    return mix;
  }

  Column[] basis() {
    return basis.clone();
  }

  /** Of links, in billionths of utility per unit of their limits. */
  double[] prices() {
    return Arrays.stream(prices).map(price -> price * Profile.SCALE).toArray();
  }
}
