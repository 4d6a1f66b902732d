package org.paceline.agent.status;

import java.util.List;
import java.util.Optional;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.session.RateChanges;
import org.paceline.agent.smallnetwork.PeerView;
import org.paceline.agent.sockets.TcpInfo;
import org.paceline.protocol.AgentUsage;

/**
 * How things are at one moment, for whoever looks from outside.
 *
 * @param pacing where and how, for a person
 * @param controller empty: there is none
 * @param peers empty: no links are shared with any
 * @param names whether the names of destinations are heard, where rules ask for them
 */
public record AgentStatus(
    String host,
    String pacing,
    Optional<Controller> controller,
    Optional<PeerView> peers,
    List<Row> conversations,
    RateChanges.Figures rateChanges,
    Optional<String> names,
    Health health) {

  /**
   * How the agent stands with its controller.
   *
   * @param relaxed by how many steps of a lease
   */
  public record Controller(String address, boolean attached, long planVersion, int relaxed) {}

  /**
   * How the agent itself is.
   *
   * @param failures steps of the agent that have failed so far
   */
  public record Health(long failures, AgentUsage usage) {}

  /**
   * A conversation.
   *
   * @param tcp empty where the kernel was not asked about its sockets yet, or has none of TCP
   */
  public record Row(
      String id, String intent, Ends ends, Rates rates, int sockets, Optional<TcpInfo> tcp) {
    public static Row of(Conversation one, long installed, String remoteName) {
      return new Row(
          one.id(),
          one.key().intent().toString(),
          new Ends(
              one.key().local().getHostAddress(),
              one.key().direction().arrow(),
              one.key().remote().getHostAddress(),
              remoteName),
          new Rates(one.grantedBitsPerSecond(), installed, one.measuredBitsPerSecond()),
          one.flows().size(),
          one.tcp());
    }
  }

  /**
   * Between whom it is.
   *
   * @param arrow which way it goes
   * @param remoteName of one of its sockets; empty where it was not heard
   */
  public record Ends(String local, String arrow, String remote, String remoteName) {}

  /**
   * Its rates, in bits per second.
   *
   * @param granted 0 without a grant
   */
  public record Rates(long granted, long installed, long measured) {}
}
