package org.paceline.allocator.incremental;

import org.paceline.intents.problem.Application;

/**
 * Some copies of a live application with one grant; changes as room comes and goes. An event looks
 * at hundreds, so what it asks is one step away.
 */
final class Seat {
  final Application application;
  final int count;
  final Menu menu;

  /** On which it sits; while it does not, any of its menu. */
  Way way;

  int step;

  /** Where each link's list of seats has this one; empty while it does not sit. */
  int[] places = NOWHERE;

  private static final int[] NOWHERE = {};

  Seat(Application application, int count, Menu menu, Way way) {
    this.application = application;
    this.count = count;
    this.menu = menu;
    this.way = way;
  }

  boolean isSeated() {
    return places != NOWHERE;
  }

  void rise() {
    places = NOWHERE;
  }

  long rate() {
    return way.steps.rate(step);
  }

  long utility() {
    return way.steps.utility(step);
  }
}
