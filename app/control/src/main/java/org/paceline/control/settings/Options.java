package org.paceline.onos;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.paceline.control.settings.PlanMode;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.SettingValues;
import org.paceline.gateway.AgentEndpoint;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;

/** The settings in the units of those who go by them. */
final class Options {
  private final SettingValues values;

  Options(SettingValues values) {
    this.values = values;
  }

  /** Where agents call in, and who is let in. */
  AgentEndpoint endpoint() {
    return AgentEndpoint.of(
        new InetSocketAddress(
            values.text(SettingTable.BIND_ADDRESS), values.number(SettingTable.PORT)),
        values.optional(SettingTable.TLS_DIRECTORY).map(Path::of),
        values.text(SettingTable.WITHOUT_CERTIFICATES).equals(SettingTable.FROM_ANYWHERE));
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
        .mode(PlanMode.parse(values.text(SettingTable.MODE)))
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
