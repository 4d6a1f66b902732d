package org.paceline.allocator.exact;

import org.paceline.intents.problem.Application;
import org.paceline.intents.utility.UtilityFunction;

/** The applications that want the same and go the same way. */
final class Crowd {
  private final Application any;
  private int members;
  private long count;

  Crowd(Application first) {
    this.any = first;
  }

  void add(Application member) {
    members++;
    count += member.count();
  }

  boolean takes(Application application) {
    return function() == application.utilityFunction()
        && from().equals(application.from())
        && to().equals(application.to());
  }

  /** Entries of the problem, each of which may stand for several applications. */
  int members() {
    return members;
  }

  /** Applications. */
  long count() {
    return count;
  }

  UtilityFunction function() {
    return any.utilityFunction();
  }

  String from() {
    return any.from();
  }

  String to() {
    return any.to();
  }
}
