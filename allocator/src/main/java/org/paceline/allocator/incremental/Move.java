package org.paceline.allocator.incremental;

/** The best step of a seat up or down its path: what it gains or loses for each unit of rate. */
final class Move {
  final Seat seat;
  final int step;
  final double slope;

  private Move(Seat seat, int step, double slope) {
    this.seat = seat;
    this.step = step;
    this.slope = slope;
  }

  /** To the lower step that loses least for what it frees; an infinite loss at the least. */
  static Move down(Seat seat) {
    int step = seat.step;
    double least = Double.POSITIVE_INFINITY;
    for (int s = seat.step - 1; s >= seat.menu.first(seat.way); s--) {
      double slope = slope(seat, s, seat.step);
      if (slope < least) {
        least = slope;
        step = s;
      }
    }
    return new Move(seat, step, least);
  }

  /** To the higher step that gains most for what it takes of the room; no gain if none fits. */
  static Move up(Seat seat, long room) {
    int step = seat.step;
    double most = 0;
    for (int s = seat.step + 1;
        s < seat.menu.stairs(seat.way).size() && seat.menu.rate(seat.way, s) - seat.rate() <= room;
        s++) {
      double slope = slope(seat, seat.step, s);
      if (slope > most) {
        most = slope;
        step = s;
      }
    }
    return new Move(seat, step, most);
  }

  /** What each copy takes more. */
  long rise() {
    return seat.menu.rate(seat.way, step) - seat.rate();
  }

  private static double slope(Seat seat, int from, int to) {
    return (seat.menu.utility(seat.way, to) - seat.menu.utility(seat.way, from))
        / (double) (seat.menu.rate(seat.way, to) - seat.menu.rate(seat.way, from));
  }
}
