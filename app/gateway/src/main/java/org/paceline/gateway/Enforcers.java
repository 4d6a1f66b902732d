package org.paceline.gateway;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.paceline.control.directive.Meter;
import org.paceline.control.directive.Pace;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.FirstHopLimiter;
import org.paceline.control.port.RateSender;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.intents.unit.DataRate;

/**
 * Rates go to the sender's agent where it has one, with a meter above it where the operator wants a
 * net; else to the receiver's where that announced the conversation and can limit it; else to a
 * meter at the sender's first hop. Of a conversation in quarantine they go to both: the meter holds
 * it, and its agent may show that it would.
 */
public final class Enforcers implements RateSender {
  private static final int THOUSAND = 1_000;

  private final AgentServer.Agents agents;
  private final FirstHopLimiter meters;
  private final IntSupplier safetyNetThousandths;

  /**
   * @param safetyNetThousandths of the rate; 0 for no net
   */
  public Enforcers(
      AgentServer.Agents agents, FirstHopLimiter meters, IntSupplier safetyNetThousandths) {
    this.agents = agents;
    this.meters = meters;
    this.safetyNetThousandths = safetyNetThousandths;
  }

  @Override
  public void send(
      String host,
      long version,
      Map<Conversation, RateDirective> rates,
      Map<PoolId, DataRate> pools) {
    Map<Conversation, Pace> paced = new LinkedHashMap<>();
    Map<Conversation, Meter> metered = new LinkedHashMap<>();
    rates.forEach(
        (conversation, directive) -> {
          if (directive instanceof Meter) {
            metered.put(conversation, (Meter) directive);
            if (conversation.isQuarantined()) {
              paced.put(conversation, ((Meter) directive).told());
            }
          } else {
            paced.put(conversation, (Pace) directive);
          }
        });
    if (!paced.isEmpty() || !pools.isEmpty()) {
      int net = safetyNetThousandths.getAsInt();
      if (net > 0) {
        paced.forEach(
            (conversation, pace) ->
                guard(conversation, scaled(max(pace.rate(), pace.borrowsUpTo()), net)));
      }
      agents.send(host, version, paced, pools);
    }
    if (!metered.isEmpty()) {
      meters.limit(host, version, metered);
    }
  }

  /** Another net is wanted, or none, above what agents hold already. On the worker. */
  public void netChanged(Collection<Proof> open) {
    int net = safetyNetThousandths.getAsInt();
    for (Proof proof : open) {
      Conversation conversation = proof.conversation();
      if (net > 0) {
        proof
            .installed()
            .filter(rate -> !PlannerSettings.isUnlimited(rate))
            .map(rate -> max(rate, proof.borrowsUpTo()))
            .ifPresent(rate -> guard(conversation, scaled(rate, net)));
      } else if (conversation.enforcement() == Enforcement.AGENT) {
        meters.unguard(conversation);
      }
    }
  }

  private static DataRate max(DataRate rate, DataRate borrowed) {
    return borrowed.compareTo(rate) > 0 ? borrowed : rate;
  }

  /** Who nobody paces goes over its rate again and again, until what is dropped slows it down. */
  private void guard(Conversation conversation, DataRate net) {
    if (conversation.enforcement() == Enforcement.AGENT) {
      meters.guard(conversation, net);
    }
  }

  @Override
  public void takeBack(String host, long version, Collection<Conversation> conversations) {
    agents.takeBack(host, version, conversations);
  }

  @Override
  public void release(Conversation conversation) {
    meters.release(conversation);
  }

  @Override
  public void endQuarantine(Conversation conversation) {
    meters.unguard(conversation);
  }

  @Override
  public void askAgain(String host) {
    agents.askAgain(host);
  }

  @Override
  public CompletableFuture<Void> count() {
    return meters.count();
  }

  @Override
  public void refuse(Conversation conversation, Unserved why) {
    if (conversation.enforcement() != Enforcement.FIRST_HOP) {
      agents.refuse(conversation, why);
    }
  }

  private static DataRate scaled(DataRate rate, int thousandths) {
    return DataRate.ofMillibitsPerSecond(rate.millibitsPerSecond() / THOUSAND * thousandths);
  }
}
