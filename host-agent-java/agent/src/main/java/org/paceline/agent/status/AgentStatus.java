package org.paceline.agent.status;

import java.util.List;
import java.util.Optional;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.session.RateChanges;
import org.paceline.agent.sockets.TcpInfo;
import org.paceline.protocol.AgentUsage;

/**
 * How things are at one moment, for whoever looks from outside.
 *
 * @param pacing where and how, for a person
 * @param relaxed by how many steps of a lease
 * @param names whether the names of destinations are heard, where rules ask for them
 * @param failures steps of the agent that have failed so far
 */
public record AgentStatus(
    String host,
    String pacing,
    String controller,
    boolean attached,
    long planVersion,
    int relaxed,
    List<Row> conversations,
    RateChanges.Figures rateChanges,
    long failures,
    Optional<String> names,
    AgentUsage usage) {

  /**
   * A conversation.
   *
   * @param arrow which way it goes
   * @param remoteName of one of its sockets; empty where it was not heard
   * @param granted 0 without a grant
   * @param tcp empty where the kernel was not asked about its sockets yet, or has none of TCP
   */
  public record Row(
      String id,
      String intent,
      String local,
      String arrow,
      String remote,
      String remoteName,
      long granted,
      long installed,
      long measured,
      int sockets,
      Optional<TcpInfo> tcp) {
    public static Row of(Conversation one, long installed, String remoteName) {
      return new Row(
          one.id(),
          one.key().intent().toString(),
          one.key().local().getHostAddress(),
          one.key().direction().arrow(),
          one.key().remote().getHostAddress(),
          remoteName,
          one.grantedBitsPerSecond(),
          installed,
          one.measuredBitsPerSecond(),
          one.flows().size(),
          one.tcp());
    }
  }
}
