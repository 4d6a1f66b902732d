package org.paceline.control.settings;

import java.time.Duration;

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

  /** Of each port those that default forwarding has rules for. */
  public int maxHostsPerPort() {
    return values.number(SettingTable.MAX_HOSTS);
  }

  /** How many a second; 0: any number. */
  public int controllerPacketsPerPort() {
    return values.number(SettingTable.CONTROLLER_PACKETS);
  }

  /** 0: agents are trusted. */
  public int safetyNetThousandths() {
    return values.number(SettingTable.SAFETY_NET);
  }

  /** 0: managed traffic is not kept apart. */
  public int managedDscp() {
    return values.number(SettingTable.MANAGED_DSCP);
  }

  /** By which ports with two queues tell elephants' packets. */
  public int elephantDscp() {
    return values.number(SettingTable.ELEPHANT_DSCP);
  }

  /** What flow records are taken, and how lists of elephants are made of them. */
  public ElephantListSettings elephantLists() {
    return ElephantListSettings.of(values);
  }

  /** How often switches are asked for what they count. */
  public CounterPeriods counterPeriods() {
    return CounterPeriods.of(values);
  }

  /** How long nothing is counted of a found conversation before it is over. */
  public Duration guestIdle() {
    return Duration.ofSeconds(values.number(SettingTable.GUEST_IDLE));
  }

  /** Of the log of changes, the newest that stay. */
  public int changesKept() {
    return values.number(SettingTable.CHANGES_KEPT);
  }

  /** Of the policy, the newest that stay. */
  public int versionsKept() {
    return values.number(SettingTable.VERSIONS_KEPT);
  }

  /** What must be free for ONOS's stores before it is an alarm; 0: it is never one. */
  public int diskAlarmMegabytes() {
    return values.number(SettingTable.DISK_ALARM);
  }

  /** How long a KPI counts that an application has reported. */
  public Duration kpiLife() {
    return Duration.ofSeconds(values.number(SettingTable.KPI_LIFE));
  }

  /** How long less is experienced than predicted before it is an alarm. */
  public Duration experienceAlarm() {
    return Duration.ofSeconds(values.number(SettingTable.EXPERIENCE_ALARM));
  }

  /** 0: clients of REST and RESTCONF may send as much as they like. */
  public int requestsPerSecond() {
    return values.number(SettingTable.REQUESTS);
  }

  public PlannerSettings planner() {
    return PlannerSettings.of(values);
  }
}
