package org.paceline.control.inventory;

import java.time.Duration;

/**
 * One thing that an agent is told the rate of, with what it says of it, and for how long it has
 * owed. It owes while it says that it holds more than it was told, and while it may hold more since
 * it has not answered. Whoever answers, however late and whatever it was told since, does not owe
 * any longer what it owed before. Rates are in millibits per second.
 */
final class ToldRate {
  private long told;
  private long version;
  private long answered;

  /** The most of what it was told that it has not answered yet. */
  private long mostTold;

  private long said;
  private boolean holdsMore;

  /** Whether it did so at the last look. */
  private boolean heldMore;

  private boolean isExpected;
  private boolean isDue;
  private long answeredBefore;
  private Duration owing = Duration.ZERO;

  /**
   * @param said what held before it is told anything
   */
  ToldRate(long said) {
    this.said = said;
  }

  void tell(long number, long rate) {
    mostTold = isUnanswered() ? Math.max(mostTold, rate) : rate;
    told = rate;
    version = number;
    isExpected = true;
  }

  /** Its agent is new or back: what it has not answered it may not have heard. */
  void returned() {
    isExpected = false;
  }

  /** It was read to hold this after it had been told all up to this version. */
  void acknowledged(long number, long rate) {
    if (number < answered) {
      return;
    }
    // A number that was never told answers nothing of what is told later.
    answered = Math.min(number, version);
    said = rate;
    holdsMore = rate > (isUnanswered() ? mostTold : told);
  }

  /**
   * It says that it holds this; believed only where nothing is on its way. Where it is more, it is
   * told again, and owes from then on: it may have been restarted.
   */
  void reported(long rate) {
    if (!isUnanswered()) {
      said = rate;
      holdsMore = holdsMore && rate > told;
    }
  }

  private boolean isUnanswered() {
    return answered < version;
  }

  /**
   * Some time has passed.
   *
   * @param inherited what it owes from the beginning, once it owes
   * @param most it cannot owe for longer
   */
  void pass(Duration time, Duration inherited, Duration most) {
    boolean isDueNow = holdsMore || mustYield();
    // Who held more than it was told owes that for as long again; who was slow owes nothing.
    boolean comesOn = isDue && !heldMore && !holdsMore && answered > answeredBefore;
    if (comesOn) {
      owing = Duration.ZERO;
    } else if (!isDueNow) {
      owing = minus(owing, time);
    } else if (!isDue) {
      owing = max(owing, inherited);
    } else {
      owing = min(owing.plus(time), most);
    }
    isDue = isDueNow;
    heldMore = holdsMore;
    answeredBefore = answered;
  }

  /** Its agent is to say that it holds less from now on. */
  private boolean mustYield() {
    return awaitsAnswer() && held() > told;
  }

  boolean awaitsAnswer() {
    return isExpected && isUnanswered();
  }

  /** Its agent has come back, and has not been told since. */
  boolean isToBeToldAgain() {
    return !isExpected;
  }

  /** It owes nothing, and will not unless it is told more. */
  boolean isPaid() {
    return !isDue && owing.isZero();
  }

  /** It was told nothing, has said so, and owes nothing. */
  boolean isOver() {
    return told == 0 && !isUnanswered() && isPaid();
  }

  Duration owing() {
    return owing;
  }

  boolean isDue() {
    return isDue;
  }

  boolean holdsMore() {
    return holdsMore;
  }

  long told() {
    return told;
  }

  /** The most that it may hold. */
  long held() {
    return isUnanswered() ? Math.max(said, mostTold) : said;
  }

  static Duration minus(Duration time, Duration less) {
    return max(Duration.ZERO, time.minus(less));
  }

  static Duration max(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
