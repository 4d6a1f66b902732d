package org.paceline.gateway;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.paceline.control.assurance.BesideRules;
import org.paceline.control.assurance.UnmanagedTraffic;
import org.paceline.control.model.AgentInfo;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Counters;
import org.paceline.control.model.InstalledRate;
import org.paceline.control.model.PoolId;
import org.paceline.control.rollout.Planner;
import org.paceline.intents.unit.DataRate;

/** What agents tell; every method hands over and returns. */
public interface AgentEvents {
  void attached(AgentInfo agent, List<Conversation> open, long installedVersion);

  /** It fell silent, or its stream broke. */
  void detached(String host);

  /** It said good-bye, with nothing paced any more. */
  void stopped(String host);

  /** It can divide these ports; told at once after it has attached, of every agent. */
  void canDivide(String host, List<PortReading> ports);

  /**
   * How ports are divided.
   *
   * @param answered the number of what it was told; 0 where it names all that are divided
   */
  void divided(String host, long answered, List<PortReading> ports);

  void opened(Conversation conversation);

  void closed(Collection<ConversationId> ids);

  void installed(String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools);

  void reported(Instant at, List<Counters> counters);

  void unmanaged(UnmanagedTraffic traffic);

  /** Does it once what was told before has been dealt with; on the planner's thread. */
  void afterwards(Runnable next);

  /** Straight to the planner, to who watches what no rule names, and to who divides ports. */
  static AgentEvents to(Planner planner, BesideRules beside, PortSchedulers schedulers) {
    return new AgentEvents() {
      @Override
      public void attached(AgentInfo agent, List<Conversation> open, long installedVersion) {
        planner.attached(agent, open, installedVersion);
      }

      @Override
      public void detached(String host) {
        planner.detached(host);
        beside.left(host);
        schedulers.left(host);
      }

      @Override
      public void stopped(String host) {
        planner.stopped(host);
        beside.left(host);
        schedulers.left(host);
      }

      @Override
      public void canDivide(String host, List<PortReading> ports) {
        schedulers.attached(host, ports);
      }

      @Override
      public void divided(String host, long answered, List<PortReading> ports) {
        schedulers.heard(host, answered, ports);
      }

      @Override
      public void opened(Conversation conversation) {
        planner.opened(conversation);
      }

      @Override
      public void closed(Collection<ConversationId> ids) {
        planner.closed(ids);
      }

      @Override
      public void installed(
          String host, long version, List<InstalledRate> rates, Map<PoolId, DataRate> pools) {
        planner.installed(host, version, rates, pools);
      }

      @Override
      public void reported(Instant at, List<Counters> counters) {
        planner.reported(at, counters);
      }

      @Override
      public void unmanaged(UnmanagedTraffic traffic) {
        beside.counted(traffic);
      }

      @Override
      public void afterwards(Runnable next) {
        planner.afterTold(next);
      }
    };
  }
}
