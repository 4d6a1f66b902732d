package org.paceline.allocator.incremental;

import org.paceline.intents.problem.Application;

/** Some copies of a live application with one grant; changes as room comes and goes. */
final class Seat {
  final Application application;
  final int count;
  final Menu menu;
  int[] hops = new int[0];

  /** Where each link's list of seats has this one. */
  int[] places = new int[0];

  int way = -1;
  int step;

  Seat(Application application, int count, Menu menu) {
    this.application = application;
    this.count = count;
    this.menu = menu;
  }

  boolean isSeated() {
    return way >= 0;
  }

  /** Of the path that it sits on. */
  Steps steps() {
    return menu.steps(way);
  }

  long rate() {
    return menu.rate(way, step);
  }

  long utility() {
    return menu.utility(way, step);
  }
}
