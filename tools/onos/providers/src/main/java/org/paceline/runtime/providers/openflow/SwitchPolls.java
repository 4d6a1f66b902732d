package org.paceline.runtime.providers.openflow;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.onlab.util.Tools;
import org.onosproject.net.DeviceId;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks switches for their counters: every few seconds, and soon after a change was made. */
final class SwitchPolls {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchPolls.class);
  // What others changed on a switch is to be found and put right within five.
  private static final int PERIOD_SECONDS = 2;
  // One question for a burst of changes.
  private static final int FLOWS_SOON_MILLIS = 250;
  // Shorter: ONOS calls a meter added only when it has seen it, and a rule waits for it.
  private static final int METERS_SOON_MILLIS = 20;
  private static final long ALL_METERS = 0xffff_ffffL;

  private final Switches switches;
  private final ScheduledExecutorService executor;
  private final Set<DeviceId> flowsAsked = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final Set<DeviceId> metersAsked = Collections.newSetFromMap(new ConcurrentHashMap<>());

  SwitchPolls(Switches switches) {
    this.switches = switches;
    this.executor =
        Executors.newSingleThreadScheduledExecutor(
            Tools.groupedThreads("paceline/openflow", "polls", LOG));
  }

  void start() {
    every(PERIOD_SECONDS, this::askAll);
  }

  void every(int seconds, Runnable task) {
    executor.scheduleWithFixedDelay(() -> guarded(task), seconds, seconds, TimeUnit.SECONDS);
  }

  void stop() {
    executor.shutdownNow();
  }

  void flowsSoon(DeviceId device) {
    soon(
        flowsAsked,
        FLOWS_SOON_MILLIS,
        device,
        () -> switches.findMastered(device).ifPresent(SwitchPolls::askFlows));
  }

  void metersSoon(DeviceId device) {
    soon(
        metersAsked,
        METERS_SOON_MILLIS,
        device,
        () -> switches.findMastered(device).ifPresent(SwitchPolls::askMeters));
  }

  private void soon(Set<DeviceId> asked, int millis, DeviceId device, Runnable question) {
    if (asked.add(device)) {
      executor.schedule(
          () -> {
            asked.remove(device);
            guarded(question);
          },
          millis,
          TimeUnit.MILLISECONDS);
    }
  }

  private void askAll() {
    for (OpenFlowSwitch of : switches.all()) {
      if (of.getRole() == RoleState.MASTER) {
        askFlows(of);
        askMeters(of);
        askPorts(of);
      }
    }
  }

  // A task that throws would silently be the last one.
  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException failure) {
      LOG.warn("A switch could not be asked.", failure);
    }
  }

  private static void askFlows(OpenFlowSwitch of) {
    OFFactory factory = of.factory();
    of.sendMsg(
        factory
            .buildFlowStatsRequest()
            .setMatch(factory.matchWildcardAll())
            .setTableId(TableId.ALL)
            .setOutPort(OFPort.ANY)
            .setOutGroup(OFGroup.ANY)
            .setCookieMask(U64.ZERO)
            .build());
  }

  private static void askMeters(OpenFlowSwitch of) {
    if (of.getMeterFeatures() != null) {
      of.sendMsg(of.factory().buildMeterStatsRequest().setMeterId(ALL_METERS).build());
    }
  }

  private static void askPorts(OpenFlowSwitch of) {
    of.sendMsg(of.factory().buildPortStatsRequest().setPortNo(OFPort.ANY).build());
  }
}
