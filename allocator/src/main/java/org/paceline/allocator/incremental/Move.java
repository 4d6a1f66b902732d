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
    Steps steps = seat.way.steps;
    return new Move(seat, steps.lower(seat.step), steps.loss(seat.step));
  }

  /** To the higher step that gains most for what it takes of the room; no gain if none fits. */
  static Move up(Seat seat, long room) {
    Steps steps = seat.way.steps;
    int step = steps.higher(seat.step, room);
    return new Move(seat, step, steps.gain(seat.step, step));
  }

  /** What each copy takes more. */
  long rise() {
    return seat.way.steps.rate(step) - seat.rate();
  }
}
