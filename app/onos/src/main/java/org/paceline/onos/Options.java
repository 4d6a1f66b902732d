package org.paceline.onos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Dictionary;
import java.util.Optional;
import org.paceline.control.conversations.CanonicalAddress;
import org.paceline.control.plan.Mode;
import org.paceline.control.plan.PlannerSettings;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;

/** The component's properties, as an operator sets them with {@code cfg set}. */
final class Options {
  static final String MODE = "mode";
  static final String BIND_ADDRESS = "bindAddress";
  static final String PORT = "port";
  static final String TLS_DIRECTORY = "tlsDirectory";
  static final String USABLE = "usableThousandths";
  static final String RESERVE = "reserveThousandths";
  static final String LEND = "lendThousandths";
  static final String GATEWAY = "gateway";
  static final String LEASE = "leaseSeconds";
  static final String DEFAULT_RATE = "defaultRate";
  static final String SAME_UTILITY = "sameUtilityPerType";
  static final String MAX_RULES = "maxRulesPerSwitch";
  static final String MAX_METERS = "maxMetersPerSwitch";
  static final String SAFETY_NET = "safetyNetThousandths";
  static final String MANAGED_DSCP = "managedDscp";
  static final String REQUESTS = "requestsPerSecond";

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

  /** Where the certificates are by which agents and the controller know each other. */
  Optional<Path> tlsDirectory() {
    return text(TLS_DIRECTORY).map(Path::of);
  }

  int maxRulesPerSwitch() {
    return number(MAX_RULES).orElse(10_000);
  }

  int maxMetersPerSwitch() {
    return number(MAX_METERS).orElse(1_000);
  }

  /**
   * Reads all of it.
   *
   * @throws IllegalArgumentException if a value cannot be used
   */
  void check() {
    planner();
    port();
    maxRulesPerSwitch();
    maxMetersPerSwitch();
    safetyNetThousandths();
    managedDscp();
    requestsPerSecond();
  }

  /** 0: agents are trusted. */
  int safetyNetThousandths() {
    return number(SAFETY_NET)
        .filter(thousandths -> thousandths > 0)
        .map(
            thousandths -> {
              if (thousandths < 1_050) {
                throw new IllegalArgumentException(
                    "The "
                        + SAFETY_NET
                        + " ("
                        + thousandths
                        + ") must be 0 for none, or 1050 or more, lest it drop what agents pace."
                        + " Maybe 1250.");
              }
              return thousandths;
            })
        .orElse(0);
  }

  /** 0: managed traffic is not kept apart. */
  int managedDscp() {
    int dscp = number(MANAGED_DSCP).orElse(0);
    if (dscp < 0 || dscp > 63) {
      throw new IllegalArgumentException(
          "The "
              + MANAGED_DSCP
              + " ("
              + dscp
              + ") must be 0 for none, or lie from 1 to 63. Maybe 34.");
    }
    return dscp;
  }

  /** 0: clients of REST and RESTCONF may send as much as they like. */
  int requestsPerSecond() {
    int requests = number(REQUESTS).orElse(100);
    if (requests < 0) {
      throw new IllegalArgumentException(
          "The " + REQUESTS + " (" + requests + ") must be 0 for no limit, or more. Maybe 100.");
    }
    return requests;
  }

  /**
   * @throws IllegalArgumentException if a value cannot be used
   */
  PlannerSettings planner() {
    PlannerSettings byDefault = PlannerSettings.DEFAULT;
    return byDefault.toBuilder()
        .mode(text(MODE).map(Mode::parse).orElse(byDefault.mode()))
        .usableThousandths(number(USABLE).orElse(byDefault.usableThousandths()))
        .reserveThousandths(number(RESERVE).orElse(byDefault.reserveThousandths()))
        .lendThousandths(number(LEND).orElse(byDefault.lendThousandths()))
        .gateway(text(GATEWAY).map(Options::address).orElse(byDefault.gateway()))
        .lease(number(LEASE).map(Duration::ofSeconds).orElse(byDefault.lease()))
        .defaultRate(text(DEFAULT_RATE).map(DataRate::parse).orElse(byDefault.defaultRate()))
        .sharing(
            text(SAME_UTILITY).map(Boolean::parseBoolean).orElse(true)
                ? Sharing.SAME_UTILITY_PER_TYPE
                : Sharing.FREE)
        .build();
  }

  private static String address(String text) {
    try {
      return CanonicalAddress.of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The "
              + GATEWAY
              + " ("
              + text
              + ") must be a host's address, or empty for none. Maybe 192.0.2.1.",
          e);
    }
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
