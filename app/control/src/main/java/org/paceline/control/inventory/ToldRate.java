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
   * @return whether something that it owed was answered
   */
  boolean pass(Duration time, Duration inherited, Duration most) {
    boolean isDueNow = holdsMore || isExpected && isUnanswered() && held() > told;
    boolean comesOn = isDue && !holdsMore && (!isDueNow || answered > answeredBefore);
    if (!isDueNow) {
      owing = minus(owing, time);
    } else if (!isDue) {
      owing = max(owing, inherited);
    } else {
      owing = comesOn ? Duration.ZERO : min(owing.plus(time), most);
    }
    isDue = isDueNow;
    answeredBefore = answered;
    return comesOn;
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

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
