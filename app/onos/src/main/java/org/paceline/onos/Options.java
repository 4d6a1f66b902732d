package org.paceline.onos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.paceline.control.plan.Mode;
import org.paceline.control.plan.PlannerSettings;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.SettingValues;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;

/** The settings in the units of those who go by them. */
final class Options {
  private final SettingValues values;

  Options(SettingValues values) {
    this.values = values;
  }

  String bindAddress() {
    return values.text(SettingTable.BIND_ADDRESS);
  }

  int port() {
    return values.number(SettingTable.PORT);
  }

  /** Where the certificates are by which agents and the controller know each other. */
  Optional<Path> tlsDirectory() {
    return values.optional(SettingTable.TLS_DIRECTORY).map(Path::of);
  }

  int maxRulesPerSwitch() {
    return values.number(SettingTable.MAX_RULES);
  }

  int maxMetersPerSwitch() {
    return values.number(SettingTable.MAX_METERS);
  }

  /** 0: agents are trusted. */
  int safetyNetThousandths() {
    return values.number(SettingTable.SAFETY_NET);
  }

  /** 0: managed traffic is not kept apart. */
  int managedDscp() {
    return values.number(SettingTable.MANAGED_DSCP);
  }

  /** 0: clients of REST and RESTCONF may send as much as they like. */
  int requestsPerSecond() {
    return values.number(SettingTable.REQUESTS);
  }

  PlannerSettings planner() {
    return PlannerSettings.DEFAULT.toBuilder()
        .mode(Mode.parse(values.text(SettingTable.MODE)))
        .usableThousandths(values.number(SettingTable.USABLE))
        .reserveThousandths(values.number(SettingTable.RESERVE))
        .lendThousandths(values.number(SettingTable.LEND))
        .gateway(values.text(SettingTable.GATEWAY))
        .lease(Duration.ofSeconds(values.number(SettingTable.LEASE)))
        .defaultRate(DataRate.parse(values.text(SettingTable.DEFAULT_RATE)))
        .sharing(
            values.isTrue(SettingTable.SAME_UTILITY) ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE)
        .build();
  }
}
