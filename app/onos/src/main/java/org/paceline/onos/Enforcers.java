package org.paceline.onos;

import java.util.LinkedHashMap;
import java.util.Map;
import org.paceline.control.conversations.Conversation;
import org.paceline.control.conversations.Enforcement;
import org.paceline.control.conversations.Unserved;
import org.paceline.control.port.RateSender;
import org.paceline.intents.unit.DataRate;
import org.paceline.onos.agent.AgentServer;
import org.paceline.onos.meter.FirstHopMeters;

/** Rates go to the sender's agent where it has one, else to a meter at its first hop. */
final class Enforcers implements RateSender {
  private final AgentServer.Agents agents;
  private final FirstHopMeters meters;

  Enforcers(AgentServer.Agents agents, FirstHopMeters meters) {
    this.agents = agents;
    this.meters = meters;
  }

  @Override
  public void send(String host, long version, Map<Conversation, DataRate> rates) {
    Map<Conversation, DataRate> paced = new LinkedHashMap<>();
    Map<Conversation, DataRate> metered = new LinkedHashMap<>();
    rates.forEach(
        (c, rate) -> (c.enforcement() == Enforcement.AGENT ? paced : metered).put(c, rate));
    if (!paced.isEmpty()) {
      agents.send(host, version, paced);
    }
    if (!metered.isEmpty()) {
      meters.limit(host, version, metered);
    }
  }

  @Override
  public void release(Conversation conversation) {
    if (conversation.enforcement() == Enforcement.FIRST_HOP) {
      meters.release(conversation);
    }
  }

  @Override
  public void refuse(Conversation conversation, Unserved why) {
    if (conversation.enforcement() == Enforcement.AGENT) {
      agents.refuse(conversation, why);
    } else {
      meters.release(conversation);
    }
  }
}
