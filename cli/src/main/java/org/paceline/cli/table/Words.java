package org.paceline.cli.table;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.StateView;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;

/** Numbers with their units, as a person reads them. */
public final class Words {
  /** What is not there. */
  public static final String NONE = "-";

  private Words() {}

  public static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  public static String rate(Optional<DataRate> rate) {
    return rate.map(Words::rate).orElse(NONE);
  }

  public static String rate(DataRate rate) {
    return rounded(rate.kilobitsPerSecond(), 0) + " kbit/s";
  }

  /** In the unit in which it has the fewest digits before the point. */
  public static String bytes(long bytes) {
    return bytes < 1_000_000
        ? bytes + " B"
        : bytes < 1_000_000_000L
            ? rounded(BigDecimal.valueOf(bytes, 6), 1) + " MB"
            : rounded(BigDecimal.valueOf(bytes, 9), 1) + " GB";
  }

  /** The rate that its enforcer holds it to; one that stands for none is not a figure to read. */
  public static String installed(ConversationView conversation) {
    return conversation.isNotPaced() ? "not paced" : rate(conversation.pacedAt());
  }

  public static String delay(Optional<Latency> delay) {
    return delay.map(Words::delay).orElse(NONE);
  }

  public static String delay(Latency delay) {
    return rounded(delay.millis(), 1) + " ms";
  }

  public static String utility(Optional<Utility> utility) {
    return utility.map(Words::utility).orElse(NONE);
  }

  public static String utility(Utility utility) {
    return rounded(utility.value(), 2);
  }

  /** What is said after a plan that nobody is held to; nothing otherwise. */
  public static String shadow(PlanMode mode) {
    return mode == PlanMode.SHADOW ? " Shadow: it is only recommended, nothing is enforced." : "";
  }

  /** What no rule names, of all hosts together. */
  public static String beside(StateView now) {
    return rate(now.managedBeside())
        + " managed, "
        + rate(now.unmanagedBeside())
        + " held by nobody";
  }

  private static String rounded(BigDecimal number, int digits) {
    return number.setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }
}
