package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.List;
import org.paceline.intents.problem.Application;

/** A live application with its seats: more than one where its copies were granted differently. */
final class Party {
  final Application application;
  final List<Seat> seats = new ArrayList<>(1);

  /** Where the list of those present has this one. */
  int place;

  Party(Application application, int place) {
    this.application = application;
    this.place = place;
  }
}
