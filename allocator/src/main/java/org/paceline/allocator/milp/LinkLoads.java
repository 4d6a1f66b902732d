package org.paceline.allocator.milp;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPVariable;
import java.util.ArrayList;
import java.util.List;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;

/** Equations 15 to 21: what the links carry, how slow that makes them, and who can bear it. */
final class LinkLoads {
  private final Mip mip;
  private final Units units;
  private final List<CellChoice> cells;
  private final List<CopyRoute> routes;
  private final List<MPConstraint> endToEnd = new ArrayList<>();

  LinkLoads(Mip mip, Units units, Network network, List<CellChoice> cells, List<CopyRoute> routes) {
    this.mip = mip;
    this.units = units;
    this.cells = cells;
    this.routes = routes;
    for (int a = 0; a < cells.size(); a++) {
      MPConstraint budget = mip.atMost(0, "21 " + a);
      cells.get(a).addDelay(budget::setCoefficient, -1);
      endToEnd.add(budget);
    }
    for (Link link : network.links()) {
      add(link);
    }
  }

  private void add(Link link) {
    double limit = units.rate(link.limitMillibits());
    MPVariable usage = mip.number(0, limit, "Omega " + link.id());
    MPConstraint sum = mip.equal(0, "15 " + link.id());
    sum.setCoefficient(usage, -1);
    for (int a = 0; a < cells.size(); a++) {
      sum.setCoefficient(rateOver(link, a), 1);
    }
    if (link.delay().isConstant()) {
      double delay = Units.millis(link.delay().least().nanos());
      for (int a = 0; a < cells.size(); a++) {
        endToEnd.get(a).setCoefficient(routes.get(a).over(link), delay);
      }
    } else {
      MPVariable delay = delay(link, usage, limit);
      for (int a = 0; a < cells.size(); a++) {
        endToEnd.get(a).setCoefficient(delayOver(link, a, delay), 1);
      }
    }
  }

  /** The product F eta of equation 15: eta where F is 1, else 0. */
  private MPVariable rateOver(Link link, int a) {
    CellChoice choice = cells.get(a);
    MPVariable f = routes.get(a).over(link);
    double most = choice.mostRate();
    String name = link.id() + " " + a;
    MPVariable rate = mip.number(0, most, "F eta " + name);
    MPConstraint onlyIfTraversed = mip.atMost(0, "15a " + name);
    onlyIfTraversed.setCoefficient(rate, 1);
    onlyIfTraversed.setCoefficient(f, -most);
    MPConstraint notAbove = mip.atMost(0, "15b " + name);
    notAbove.setCoefficient(rate, 1);
    choice.addRate(notAbove::setCoefficient, -1);
    MPConstraint notBelow = mip.atLeast(-most, "15c " + name);
    notBelow.setCoefficient(rate, 1);
    notBelow.setCoefficient(f, -most);
    choice.addRate(notBelow::setCoefficient, -1);
    return rate;
  }

  /** The product omega F of equation 20: omega where F is 1, else 0. */
  private MPVariable delayOver(Link link, int a, MPVariable delay) {
    MPVariable f = routes.get(a).over(link);
    double most = delay.ub();
    String name = link.id() + " " + a;
    MPVariable part = mip.number(0, most, "omega F " + name);
    MPConstraint notBelow = mip.atLeast(-most, "20 " + name);
    notBelow.setCoefficient(part, 1);
    notBelow.setCoefficient(delay, -1);
    notBelow.setCoefficient(f, -most);
    return part;
  }

  /**
   * omega by equations 17 to 19. They lack that one piece is chosen, sum_p l_p = 1: without it an
   * unused link has no delay at all and pieces can be added up. The pieces before the first and
   * after the last point, where the delay is constant, are added.
   */
  private MPVariable delay(Link link, MPVariable usage, double limit) {
    List<double[]> points = points(link.delay(), limit);
    String name = link.id().toString();
    MPVariable delay = mip.number(0, points.get(points.size() - 1)[1], "omega " + name);
    MPConstraint onePiece = mip.equal(1, "17' " + name);
    MPConstraint usageSum = mip.equal(0, "18 " + name);
    usageSum.setCoefficient(usage, -1);
    MPConstraint delaySum = mip.equal(0, "19 " + name);
    delaySum.setCoefficient(delay, -1);
    for (int p = 0; p + 1 < points.size(); p++) {
      double[] low = points.get(p);
      double[] high = points.get(p + 1);
      MPVariable l = mip.binary("l " + name + " " + p);
      MPVariable s = mip.number(0, 1, "S " + name + " " + p);
      MPConstraint scaled = mip.atMost(0, "17 " + name + " " + p);
      scaled.setCoefficient(s, 1);
      scaled.setCoefficient(l, -1);
      onePiece.setCoefficient(l, 1);
      usageSum.setCoefficient(l, low[0]);
      usageSum.setCoefficient(s, high[0] - low[0]);
      delaySum.setCoefficient(l, low[1]);
      delaySum.setCoefficient(s, high[1] - low[1]);
    }
    return delay;
  }

  private List<double[]> points(LinkDelay delay, double limit) {
    List<double[]> points = new ArrayList<>();
    for (int p = 0; p < delay.points(); p++) {
      points.add(
          new double[] {
            units.rate(delay.load(p).millibitsPerSecond()), Units.millis(delay.delay(p).nanos())
          });
    }
    double[] first = points.get(0);
    if (first[0] > 0) {
      points.add(0, new double[] {0, first[1]});
    }
    double[] last = points.get(points.size() - 1);
    if (last[0] < limit) {
      points.add(new double[] {limit, last[1]});
    }
    return points;
  }
}
