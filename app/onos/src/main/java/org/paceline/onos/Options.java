package org.paceline.onos;

import java.util.Dictionary;
import java.util.Optional;
import org.paceline.control.plan.PlannerSettings;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;

/** The component's properties, as an operator sets them with {@code cfg set}. */
final class Options {
  static final String BIND_ADDRESS = "bindAddress";
  static final String PORT = "port";
  static final String USABLE = "usableThousandths";
  static final String RESERVE = "reserveThousandths";
  static final String LEND = "lendThousandths";
  static final String DEFAULT_RATE = "defaultRate";
  static final String SAME_UTILITY = "sameUtilityPerType";

  private final Dictionary<?, ?> properties;

  Options(Dictionary<?, ?> properties) {
    this.properties = properties;
  }

  String bindAddress() {
    return text(BIND_ADDRESS).orElse("0.0.0.0");
  }

  int port() {
    return number(PORT).orElse(9559);
  }

  /**
   * @throws IllegalArgumentException if a value cannot be used
   */
  PlannerSettings planner() {
    PlannerSettings byDefault = PlannerSettings.DEFAULT;
    return byDefault.toBuilder()
        .usableThousandths(number(USABLE).orElse(byDefault.usableThousandths()))
        .reserveThousandths(number(RESERVE).orElse(byDefault.reserveThousandths()))
        .lendThousandths(number(LEND).orElse(byDefault.lendThousandths()))
        .defaultRate(text(DEFAULT_RATE).map(DataRate::parse).orElse(byDefault.defaultRate()))
        .sharing(
            text(SAME_UTILITY).map(Boolean::parseBoolean).orElse(true)
                ? Sharing.SAME_UTILITY_PER_TYPE
                : Sharing.FREE)
        .build();
  }

  private Optional<Integer> number(String name) {
    return text(name)
        .map(
            text -> {
              try {
                return Integer.valueOf(text);
              } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                    "The property (" + name + ") must be a whole number, not (" + text + ").", e);
              }
            });
  }

  private Optional<String> text(String name) {
    return Optional.ofNullable(properties.get(name))
        .map(Object::toString)
        .map(String::trim)
        .filter(text -> !text.isEmpty());
  }
}
