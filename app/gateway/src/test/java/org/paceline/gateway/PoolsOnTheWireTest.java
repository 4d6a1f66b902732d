package org.paceline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.paceline.protocol.Capabilities;
import org.paceline.protocol.ControllerMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Pool;
import org.paceline.protocol.Rate;

/** What an agent that lets conversations borrow is told, and one that does not. */
final class PoolsOnTheWireTest {
  private static final ConversationOpened ONE =
      AgentServerRig.opened("c1", "10.0.0.2").toBuilder().setInterface("eth0").build();

  @RegisterExtension final AgentServerRig rig = new AgentServerRig();

  private static Hello hello(boolean pools) {
    return AgentServerRig.hello("h1")
        .setCapabilities(Capabilities.newBuilder().setEnforcer("htb").setPools(pools))
        .addConversations(ONE)
        .build();
  }

  private static Pool firstPool(AgentServerRig.Agent agent) throws InterruptedException {
    while (true) {
      ControllerMessage message = agent.hearsRates();
      if (message.getRates().getPoolsCount() > 0) {
        return message.getRates().getPools(0);
      }
    }
  }

  @Test
  void anInterfaceIsToldWhatItMaySendAndAConversationUpToWhatItMayBorrow() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(hello(true));
    assertThat(agent.hears().hasWelcome()).isTrue();
    ControllerMessage first = agent.hears();
    Rate rate = first.getRates().getRates(0);
    assertThat(rate.getCeilingBitsPerSecond()).isGreaterThan(rate.getRateBitsPerSecond());
    agent.acknowledge(first);
    Pool pool =
        first.getRates().getPoolsCount() > 0 ? first.getRates().getPools(0) : firstPool(agent);
    assertThat(pool.getInterface()).isEqualTo("eth0");
    // Of a link of 10 Mbit/s, what a plan may give.
    assertThat(pool.getRateBitsPerSecond()).isBetween(9_400_000L, 9_500_000L);
  }

  @Test
  void whoComesBackIsToldAgainForItHasTakenThemBack() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", rig.server.port()).usePlaintext().build();
    AgentServerRig.Agent agent = rig.agent(channel);
    agent.say(hello(true));
    agent.hears();
    Pool before = firstPool(agent);
    channel.shutdownNow().awaitTermination(AgentServerRig.SECONDS, TimeUnit.SECONDS);
    while (!rig.planner.agents().isEmpty()) {
      Thread.sleep(20);
    }

    AgentServerRig.Agent back = rig.agent();
    back.say(hello(true));
    back.hears();
    assertThat(firstPool(back)).isEqualTo(before);
  }

  @Test
  void whoDoesNotSayThatItCanIsToldNeither() throws Exception {
    AgentServerRig.Agent agent = rig.agent();
    agent.say(hello(false));
    agent.hears();
    ControllerMessage rates = agent.hearsRates();
    assertThat(rates.getRates().getPoolsList()).isEmpty();
    assertThat(rates.getRates().getRates(0).getCeilingBitsPerSecond()).isZero();
  }
}
