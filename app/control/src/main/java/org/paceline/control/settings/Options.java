package org.paceline.control.settings;

import java.time.Duration;
import org.paceline.intents.problem.Sharing;
import org.paceline.intents.unit.DataRate;

/** The settings in the units of those who go by them. */
public final class Options {
  private final SettingValues values;

  public Options(SettingValues values) {
    this.values = values;
  }

  public int maxRulesPerSwitch() {
    return values.number(SettingTable.MAX_RULES);
  }

  public int maxMetersPerSwitch() {
    return values.number(SettingTable.MAX_METERS);
  }

  /** 0: agents are trusted. */
  public int safetyNetThousandths() {
    return values.number(SettingTable.SAFETY_NET);
  }

  /** 0: managed traffic is not kept apart. */
  public int managedDscp() {
    return values.number(SettingTable.MANAGED_DSCP);
  }

  /** 0: clients of REST and RESTCONF may send as much as they like. */
  public int requestsPerSecond() {
    return values.number(SettingTable.REQUESTS);
  }

  public PlannerSettings planner() {
    return PlannerSettings.DEFAULT.toBuilder()
        .mode(PlanMode.parse(values.text(SettingTable.MODE)))
        .usableThousandths(values.number(SettingTable.USABLE))
        .reserveThousandths(values.number(SettingTable.RESERVE))
        .lendThousandths(values.number(SettingTable.LEND))
        .fixedRateThousandths(values.number(SettingTable.FIXED_RATE))
        .gateway(values.text(SettingTable.GATEWAY))
        .lease(Duration.ofSeconds(values.number(SettingTable.LEASE)))
        .defaultRate(DataRate.parse(values.text(SettingTable.DEFAULT_RATE)))
        .sharing(
            values.isTrue(SettingTable.SAME_UTILITY) ? Sharing.SAME_UTILITY_PER_TYPE : Sharing.FREE)
        .solver(SolverMethod.parse(values.text(SettingTable.SOLVER)))
        .milpLimit(Duration.ofSeconds(values.number(SettingTable.MILP_LIMIT)))
        .build();
  }
}
